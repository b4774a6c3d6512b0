// A child that ends before it has said that it is ready.
process.exit(1);
