import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

import { chromium } from '@playwright/test'

const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Restricts the browser's network to the server under test. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const found = (): string | undefined =>
  [process.env['CHROMIUM_PATH'] ?? '', chromium.executablePath(), ...SYSTEM].find(
    (path) => path && existsSync(path),
  )

/**
 * A Chromium for the browser tests: Playwright's own, the system's or, on Debian as root, a newly installed one.
 * @throws Error with instructions to install one
 */
export function findChromium(): string {
  const path = found() ?? install()
  if (path) return path
  throw new Error(
    'The browser tests need Chromium. Install it (npx playwright install chromium), or set CHROMIUM_PATH.',
  )
}

function install(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    return undefined
  console.log('Installing Chromium for the browser tests')
  const options = { stdio: 'ignore' as const, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  execFileSync('apt-get', ['update'], options)
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options)
  return found()
}
