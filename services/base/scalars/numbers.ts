/** Whether a whole number is a prime. Certain below 3.3 · 10^24. */
export function isPrime(n: bigint): boolean {
  if (n < 2n) return false;
  for (const prime of WITNESSES) if (n % prime === 0n) return n === prime;
  let odd = n - 1n;
  let twos = 0;
  while (odd % 2n === 0n) {
    odd /= 2n;
    twos++;
  }
  return WITNESSES.every((witness) => !provesComposite(witness, n, odd, twos));
}

/** Miller–Rabin with these finds every composite number below 3.3 · 10^24. */
const WITNESSES = [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n, 41n] as const;

function provesComposite(witness: bigint, n: bigint, odd: bigint, twos: number): boolean {
  let power = powerOf(witness, odd, n);
  if (power === 1n || power === n - 1n) return false;
  for (let i = 1; i < twos; i++) {
    power = (power * power) % n;
    if (power === n - 1n) return false;
  }
  return true;
}

function powerOf(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

/** Whether a whole number is the square of one. */
export function isPerfectSquare(n: bigint): boolean {
  if (n < 0n) return false;
  const root = squareRoot(n);
  return root * root === n;
}

/** Whether a whole number is one of 0, 1, 2, 3, 5, 8, … */
export function isFibonacci(n: bigint): boolean {
  if (n < 0n) return false;
  const square = 5n * n * n;
  return isPerfectSquare(square + 4n) || isPerfectSquare(square - 4n);
}

/** Whether `divisor` goes into `n` without rest; null for 0, which goes into nothing. */
export function isDivisible(n: bigint, divisor: bigint): boolean | null {
  return divisor === 0n ? null : n % divisor === 0n;
}

/** The root, rounded down, by Newton's steps from above. */
function squareRoot(n: bigint): bigint {
  if (n < 2n) return n;
  let root = 1n << BigInt(Math.ceil(n.toString(2).length / 2));
  for (;;) {
    const next = (root + n / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}
