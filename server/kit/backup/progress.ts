import type { Progress } from './write-backup.ts'

const WORDS: { readonly [doing in Progress['doing']]: string } = {
  counting: 'Counting tables',
  tables: 'Tables',
  files: 'Files',
  comparing: 'Comparing tables',
}
const EVERY_MS = 1_000
/** Plain lines are for logs, which need fewer. */
const EVERY_MS_IN_LOGS = 10_000

/** Shows progress on standard error: one line that changes on a terminal, a line now and then elsewhere. */
export function showProgress(out: NodeJS.WriteStream = process.stderr): {
  readonly report: (progress: Progress) => void
  /** Clears the line before other output. */
  readonly end: () => void
} {
  const isTerminal = out.isTTY
  const every = isTerminal ? EVERY_MS : EVERY_MS_IN_LOGS
  let next = performance.now() + every
  let isShown = false
  return {
    report({ doing, done, of }) {
      if (performance.now() < next) return
      next = performance.now() + every
      const line = `${WORDS[doing]}: ${done.toLocaleString('en')} of ${of.toLocaleString('en')}`
      out.write(isTerminal ? `\r\u001B[K${line}` : `${line}\n`)
      isShown = isTerminal
    },
    end() {
      if (isShown) out.write('\r\u001B[K')
      isShown = false
    },
  }
}
