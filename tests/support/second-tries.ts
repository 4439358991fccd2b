import { appendFileSync } from 'node:fs'

import type { Reporter, TestCase } from 'vitest/node'

/** Adds the names of tests that passed only at their second attempt to the file `SECOND_TRIES`. */
export default class SecondTries implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const file = process.env['SECOND_TRIES']
    if (file && test.diagnostic()?.flaky)
      appendFileSync(file, `${test.module.relativeModuleId} > ${test.fullName}\n`)
  }
}
