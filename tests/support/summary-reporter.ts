import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with `N passed, N failed, N skipped` alone on a line, for programs that read the output. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    const skipped = new Set<string>();
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const result = test.result();
        count[result.state]++;
        if (result.state === 'skipped') skipped.add(result.note ?? test.fullName);
      }
      // A module that does not even load has no tests to fail; where a hook fails, they are skipped.
      if (module.errors().length > 0) count.failed++;
      for (const suite of module.children.allSuites()) if (suite.errors().length > 0) count.failed++;
    }
    const reasons = [...skipped].map((each) => `skipped: ${each}\n`).join('');
    process.stdout.write(
      `\n${reasons}${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped\n`,
    );
  }
}
