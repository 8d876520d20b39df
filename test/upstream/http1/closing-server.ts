/**
 * A server that closes each connection 5 ms after an answer on it, without having said so.
 */
const listener = Bun.listen({
  hostname: "127.0.0.1",
  port: 0,
  socket: {
    data(socket) {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      setTimeout(() => socket.end(), 5);
    },
  },
});
console.log(`http://127.0.0.1:${listener.port}`);
