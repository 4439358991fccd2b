let offset = 0

/** The server's current time, in milliseconds of the epoch. */
export const serverNow = (): number => Date.now() + offset

/** Returns to this machine's own clock until the next response. */
export function forgetServerNow() {
  offset = 0
}

/** Sets the exact time from a timestamp that the server has just made. */
export function setServerNow(timestamp: string) {
  const time = Date.parse(timestamp)
  if (Number.isFinite(time)) offset = time - Date.now()
}

/** Sets the time from a Date header, which has whole seconds, and so corrects only a clock that is clearly wrong. */
export function noteDateHeader(header: string | null) {
  const time = header === null ? Number.NaN : Date.parse(header)
  if (Number.isFinite(time) && Math.abs(time - serverNow()) > 2_000) offset = time + 500 - Date.now()
}
