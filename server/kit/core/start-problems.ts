/** An error that prevents the start; its message is for the operator. */
export class CannotStart extends Error {}

const UNREACHABLE = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
]
/** A database that refuses the connection: a wrong name or password, or no such database. */
const LOCKED = /^(28...|3D000)$/

/** The message for the operator about a failed start. Only an unexpected error shows its stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code = '' } = error as NodeJS.ErrnoException
  if (error instanceof CannotStart) return error.message
  if (code === 'EADDRINUSE') return 'The port is in use. Stop what uses it, or set PORT to another one.'
  if (code === 'EADDRNOTAVAIL') return 'This machine has no such address. Set HOST to one that it has.'
  if (code === 'EACCES')
    return `Muster may not use this port or folder (${error.message}). Set PORT or DATA_DIR.`
  // The combined error for both addresses of localhost has no message.
  if (UNREACHABLE.includes(code))
    return `The database cannot be reached (${error.message || code}). Start it, or set DATABASE_URL to another one.`
  if (LOCKED.test(code)) return `The database lets nobody in (${error.message}). Check DATABASE_URL.`
  return error.stack ?? error.message
}

/** The error for a data folder that cannot be created or written to. */
export const unusable = (folder: string, error: unknown): CannotStart =>
  new CannotStart(
    `The data folder ${folder} cannot be used: ${(error as Error).message}. ` +
      'Make it writable, or set DATA_DIR to another folder.',
    { cause: error },
  )
