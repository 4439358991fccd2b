import { getSession } from './session.ts'
import { tabStorage } from './storage.ts'

/** Storage key for the keys of unanswered acts, by their request. They survive a reload of the tab. */
const STORAGE_KEY = 'muster.acts'
/** Age from which a repeated act counts as a new one. */
const FORGOTTEN_AFTER_MS = 15 * 60_000

interface PendingAct {
  readonly key: string
  /** Milliseconds of the epoch. */
  readonly since: number
}
type Acts = Record<string, PendingAct>

function readActs(): Acts {
  try {
    const all = JSON.parse(tabStorage.read(STORAGE_KEY) ?? '{}') as Acts
    const since = Date.now() - FORGOTTEN_AFTER_MS
    return Object.fromEntries(Object.entries(all).filter(([, act]) => act.since > since))
  } catch {
    return {}
  }
}
const writeActs = (acts: Acts): void =>
  tabStorage.write(STORAGE_KEY, Object.keys(acts).length === 0 ? null : JSON.stringify(acts))

/** A 53-bit hash (cyrb53), not for security. Distinguishes the acts of one tab without storing their bodies. */
function hashOf(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let n = 0; n < text.length; n += 1) {
    const unit = text.charCodeAt(n)
    high = Math.imul(high ^ unit, 2_654_435_761)
    low = Math.imul(low ^ unit, 1_597_334_677)
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return (low >>> 0).toString(36) + (high >>> 0).toString(36)
}

const describe = (body: string | FormData | Blob | undefined): string =>
  body instanceof Blob
    ? String(body.size)
    : body instanceof FormData
      ? Array.from(body, ([name, value]) =>
          value instanceof File
            ? [name, value.name, value.size, value.type, value.lastModified].join()
            : `${name},${value}`,
        ).join('\n')
      : (body ?? '')

/** 128 random bits. (`randomUUID` does not exist on plain http, except on localhost.) */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

/** The `Idempotency-Key` of one act. */
export interface Act {
  readonly key: string
  /** Call this once the server has replied: a later identical request is a new act. */
  readonly answered: () => void
}

/**
 * Begins an act that changes or sends something. Until the server replies, identical requests by this person
 * carry the same idempotency key: a retry by the network, a second press during the first, and a press after
 * a failure or a reload.
 */
export function beginAct(request: {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | FormData | Blob | undefined
}): Act {
  const { uuid } = getSession()
  const id = hashOf(
    [
      uuid ?? '',
      request.method,
      request.url,
      JSON.stringify(request.headers) ?? '',
      describe(request.body),
    ].join('\n'),
  )
  const acts = readActs()
  const known = acts[id]
  const key = known?.key ?? newKey()
  if (!known) writeActs({ ...acts, [id]: { key, since: Date.now() } })
  return {
    key,
    answered: () => {
      const { [id]: mine, ...others } = readActs()
      if (mine?.key === key) writeActs(others)
    },
  }
}
