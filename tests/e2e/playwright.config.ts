import { defineConfig } from '@playwright/test'

import { CHROMIUM_FLAGS, findChromium } from '../support/chromium.ts'
import { keepDataInMemory } from '../support/memory.ts'

keepDataInMemory()

export default defineConfig({
  testDir: '.',
  // One story of calls at a time: six people's pictures are all drawn, sent and read here.
  projects: [
    { name: 'pages', testMatch: '*.spec.ts', testIgnore: 'calls*.spec.ts' },
    { name: 'calls', testMatch: 'calls*.spec.ts', workers: 1, ...(process.env['CI'] && { retries: 2 }) },
  ],
  globalSetup: './setup.ts',
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  retries: process.env['CI'] ? 1 : 0,
  timeout: 400_000,
  // A machine three times slower than usual is no failure of the product.
  expect: { timeout: 30_000 },
  reporter: 'list',
  outputDir: '../../test-results',
  use: {
    // Recording a trace of each test doubles its processor time: ask for one with `--trace on`.
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: findChromium(), args: CHROMIUM_FLAGS },
  },
})
