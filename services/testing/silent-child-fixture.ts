// A child that exits before it is ready.
process.exit(1);
