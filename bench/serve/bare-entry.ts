// The baseline: fastify with one static route that returns the same answer as a point endpoint, and one that
// echoes JSON.
import Fastify from 'fastify';

const app = Fastify();
const answer = {
  data: [{ name: 'Customer 1', city: 'City 1', credit: 13.37 }],
  row_count: 1,
  truncated: false,
};
app.get('/static', () => answer);
app.post('/echo', ({ body }) => body);
console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
process.on('SIGTERM', () => process.exit(0));
