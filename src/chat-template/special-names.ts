/**
 * Private attributes that Python objects have: the sandbox refuses them, while any other private
 * name is simply not there and may be the key of a dict.
 */
export const specialNames: ReadonlySet<string> = new Set(
  (
    "__class__ __delattr__ __dir__ __doc__ __eq__ __format__ __ge__ __getattribute__ " +
    "__getstate__ __gt__ __hash__ __init__ __init_subclass__ __le__ __lt__ __ne__ __new__ " +
    "__reduce__ __reduce_ex__ __repr__ __setattr__ __sizeof__ __str__ __subclasshook__"
  ).split(" "),
);
