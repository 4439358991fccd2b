let offset = 0

/** Now by the server's clock, in milliseconds of the epoch. */
export const serverNow = (): number => Date.now() + offset

/** Back to this machine's own clock, until the server says otherwise. */
export function forgetServerNow() {
  offset = 0
}

/** Learns the exact time from a timestamp that the server just made. */
export function setServerNow(timestamp: string) {
  const time = Date.parse(timestamp)
  if (Number.isFinite(time)) offset = time - Date.now()
}

/** Learns the time from a Date header, which is cut to the second: only a clock that is plainly wrong is corrected. */
export function noteDateHeader(header: string | null) {
  const time = header === null ? Number.NaN : Date.parse(header)
  if (Number.isFinite(time) && Math.abs(time - serverNow()) > 2_000) offset = time + 500 - Date.now()
}
