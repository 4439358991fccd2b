import { defineConfig } from '@playwright/test'

import { CHROMIUM_FLAGS, findChromium } from '../support/chromium.ts'
import { keepDataInMemory } from '../support/memory.ts'

keepDataInMemory()

export default defineConfig({
  testDir: '.',
  // One story of calls at a time, because this machine draws, sends and decodes the pictures of all six people.
  projects: [
    { name: 'pages', testMatch: '*.spec.ts', testIgnore: 'calls*.spec.ts' },
    { name: 'calls', testMatch: 'calls*.spec.ts', workers: 1 },
  ],
  globalSetup: './setup.ts',
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  retries: process.env['CI'] ? 1 : 0,
  timeout: 200_000,
  // Allows for machines three times slower than usual.
  expect: { timeout: 30_000 },
  reporter: 'list',
  outputDir: '../../test-results',
  use: {
    // Tracing doubles the processor time of a test; `--trace on` records one.
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: findChromium(), args: CHROMIUM_FLAGS },
  },
})
