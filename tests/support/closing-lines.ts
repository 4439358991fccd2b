import { appendFileSync } from 'node:fs'

import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node'

/**
 * Adds a line to the file `CLOSING_LINES` for all that needs a look after a run of many thousand lines: tests that
 * failed or passed only at their second attempt, and errors outside of tests, which fail a run without a failed test.
 */
export default class ClosingLines implements Reporter {
  #add(line: string): void {
    const file = process.env['CLOSING_LINES']
    if (file) appendFileSync(file, `${line.replaceAll('\n', ' ')}\n`)
  }

  #addErrors(where: string, errors: readonly Pick<SerializedError, 'message' | 'stack'>[]): void {
    for (const { message, stack } of errors)
      this.#add(`error outside of a test: ${where}: ${(stack ?? message).slice(0, 600)}`)
  }

  onTestCaseResult(test: TestCase): void {
    const name = `${test.module.relativeModuleId} > ${test.fullName}`
    if (test.result().state === 'failed') this.#add(`failed: ${name}`)
    else if (test.diagnostic()?.flaky) this.#add(`needed a second try: ${name}`)
  }

  onTestSuiteResult(suite: TestSuite): void {
    this.#addErrors(`${suite.module.relativeModuleId} > ${suite.fullName}`, suite.errors())
  }

  onTestModuleEnd(module: TestModule): void {
    this.#addErrors(module.relativeModuleId, module.errors())
  }

  onTestRunEnd(_: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    this.#addErrors('unhandled', unhandled)
  }
}
