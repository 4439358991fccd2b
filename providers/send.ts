import { LIMIT_REACHED } from '#contract/kit/limits.ts'
import { REFRESH_MARGIN_SECONDS, SESSION_PATHS } from '#contract/sessions/access.ts'
import type { Me, RefreshedTokens } from '#contract/sessions/schema.ts'
import { VERIFICATION_REQUIRED } from '#contract/verifications/access.ts'

import { beginAct } from './idempotency.ts'
import { publishLimitReached } from './limits.ts'
import { oneTabAtATime } from './oneTab.ts'
import { outlasting } from './outage.ts'
import { foreignAnswerOf, HttpProblem, NO_ANSWER, problemOf } from './problem.ts'
import { noteDateHeader, serverNow } from './serverClock.ts'
import {
  apiUrl,
  endSession,
  getSession,
  renewTokens,
  rereadSession,
  setMe,
  subscribeSession,
} from './session.ts'

export interface Outgoing {
  readonly method: string
  readonly url: string
  /** True for a call in the name of the signed-in person. */
  readonly asPerson: boolean
  /** True for a call that changes or sends something: it carries an `Idempotency-Key`. */
  readonly isAct?: boolean
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | FormData | Blob | undefined
  /** True when the caller itself retries a lost request, because it knows from which offset. */
  readonly isResumed?: boolean
  readonly signal?: AbortSignal | undefined
  /** Replacement for `fetch`. */
  readonly transport?: typeof fetch | undefined
}

const NETWORK_RETRY_MS = 1_000
const REFRESH_RETRY_MS = 3_000
/** Time after which a request for tokens is repeated, up to `REFRESH_TRIES` requests. */
const REFRESH_SLOW_MS = 10_000
const REFRESH_TRIES = 6
/** Statuses of an invalid refresh token. Others, such as a proxy's 404 or a 429, say nothing about it. */
const REFUSED: ReadonlySet<number> = new Set([400, 401])
/** Minimum interval between two checks of a token. */
const PLAN_MIN_MS = 15_000
/** Shorter than the lifetime of any server's tokens. */
const PLAUSIBLE_LIFE_MS = 30_000
/** Paths that show a countdown after too many calls; on others a 429 ends the session (foundation §8, decisions §5). */
const COUNTED_DOWN = /^\/(authentication|sfs|fa|feature\/upgrade|me\/changePassword)(\/|$)/

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

function headersOf({ body, asPerson, headers: own }: Outgoing, idempotencyKey: string | undefined): Headers {
  const { organisation, tokens } = getSession()
  const headers = new Headers({ 'Web-App-Version': import.meta.env.VITE_APP_VERSION })
  if (!(body instanceof FormData)) headers.set('Content-Type', 'application/json')
  if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey)
  if (organisation) headers.set('Enterprise-Code', organisation.code)
  if (asPerson && tokens) headers.set('Authorization', `Bearer ${tokens.authenticationToken}`)
  for (const [name, value] of Object.entries(own ?? {})) headers.set(name, value)
  return headers
}

/** Makes a request, and again after a second when the network fails. */
async function attempt(outgoing: Outgoing, key?: string, triesLeft = 1): Promise<Response> {
  const { method, url, body, signal, transport = fetch } = outgoing
  try {
    const init = { method, headers: headersOf(outgoing, key), body: body ?? null, signal: signal ?? null }
    const response = await transport(url, init)
    const foreign = foreignAnswerOf(response)
    if (foreign) throw foreign
    noteDateHeader(response.headers.get('Date'))
    return response
  } catch (error) {
    if (signal?.aborted || error instanceof HttpProblem) throw error
    if (triesLeft === 0 || outgoing.isResumed) throw new HttpProblem(NO_ANSWER, 0)
    await pause(NETWORK_RETRY_MS)
    return attempt(outgoing, key, triesLeft - 1)
  }
}

/** Waits until the device is online: a tunnel must not sign anybody out. */
const online = () =>
  navigator.onLine
    ? Promise.resolve()
    : new Promise<void>((resolve) => window.addEventListener('online', () => resolve(), { once: true }))

type TokensAnswer =
  | { readonly kind: 'tokens'; readonly tokens: RefreshedTokens }
  | { readonly kind: 'refused' }

/** @throws HttpProblem when the server fails or the response is incomplete, which says nothing about the session */
async function requestTokens(refreshToken: string, signal: AbortSignal): Promise<TokensAnswer> {
  const url = apiUrl() + SESSION_PATHS.refresh
  const body = JSON.stringify({ refreshToken })
  const response = await attempt({ method: 'POST', url, asPerson: false, body, signal })
  if (REFUSED.has(response.status)) return { kind: 'refused' }
  if (!response.ok) throw await problemOf(response)
  // A truncated response.
  const tokens = (await response.json().catch(() => null)) as RefreshedTokens | null
  if (!tokens?.authenticationToken) throw new HttpProblem(NO_ANSWER, 0)
  return { kind: 'tokens', tokens }
}

/**
 * Requests new tokens until a response comes. A slow request is repeated but still awaited: the server
 * answers a repetition with the same refresh token.
 * @throws HttpProblem after two failures of the server, or a minute without a response
 */
async function awaitTokens(refreshToken: string): Promise<TokensAnswer> {
  const stop = new AbortController()
  const requests: Promise<TokensAnswer>[] = []
  const failures: unknown[] = []
  try {
    for (let tries = 0; tries < REFRESH_TRIES && failures.length < 2; tries++) {
      if (failures.length > 0) await pause(REFRESH_RETRY_MS)
      requests.push(requestTokens(refreshToken, stop.signal))
      const answered = Promise.any(requests).catch((error: AggregateError) => error)
      const answer = await Promise.race([answered, pause(REFRESH_SLOW_MS)])
      if (answer instanceof AggregateError) failures.push(answer.errors.at(-1))
      else if (answer) return answer
    }
    throw failures.at(-1) ?? new HttpProblem(NO_ANSWER, 0)
  } finally {
    stop.abort()
  }
}

/**
 * Uses the refresh token, unless another tab has done so. Only a refusal of the token ends the session, never
 * a failure of the server or the network.
 */
async function renew(usedToken: string | undefined): Promise<void> {
  const { tokens } = rereadSession()
  if (!tokens || tokens.authenticationToken !== usedToken) return
  if (tokens.refreshToken === null) return endSession('expired')
  await online()
  const answer = await awaitTokens(tokens.refreshToken)
  if (answer.kind === 'tokens') {
    renewedAt = Date.now()
    renewTokens(tokens.refreshToken, answer.tokens)
    return
  }
  // The refusal is final unless another tab has a newer token.
  if (rereadSession().tokens?.refreshToken === tokens.refreshToken) endSession('expired')
}

let refreshing: Promise<void> | null = null
/** True when the server has refused the token in use: calls wait for the new one. */
let isRefused = false

/** Refreshes the tokens, with one request for all concurrent callers in all tabs. */
function refresh(usedToken = getSession().tokens?.authenticationToken): Promise<void> {
  refreshing ??= oneTabAtATime(() => renew(usedToken)).finally(() => {
    refreshing = null
    isRefused = false
  })
  return refreshing
}

let renewedAt = Number.NEGATIVE_INFINITY

/** Milliseconds until the token should be refreshed; negative for an overdue one. */
function msUntilRefresh(marginSeconds: number): number {
  // A new token that looks expired means that this device's clock is wrong; then only a refusal triggers the refresh.
  if (Math.abs(Date.now() - renewedAt) < PLAUSIBLE_LIFE_MS) return Number.POSITIVE_INFINITY
  const expiry = getSession().tokens?.authenticationTokenExpiry
  return expiry ? Date.parse(expiry) - marginSeconds * 1_000 - serverNow() : Number.POSITIVE_INFINITY
}

/**
 * A token that is neither expired nor refused. While it is refreshed ahead of time, calls continue with it.
 * @throws HttpProblem 401 after the end of the session, another if no new token can be obtained
 */
async function freshToken(): Promise<string> {
  const known = getSession().tokens?.authenticationToken
  if (known !== undefined && (isRefused || msUntilRefresh(0) <= 0)) await refresh(known)
  const token = getSession().tokens?.authenticationToken
  if (!token) throw new HttpProblem('You are signed out.', 401)
  return token
}

async function attemptAsPerson(outgoing: Outgoing, key: string | undefined): Promise<Response> {
  const token = await freshToken()
  const response = await attempt(outgoing, key)
  if (response.status !== 401) return response
  isRefused = true
  await refresh(token)
  await freshToken()
  return attempt(outgoing, key)
}

/**
 * Sends a request and returns the successful response. A refused token is refreshed once and the request replayed;
 * requests during the refresh wait for it. Idempotent requests are repeated while the server cannot reach its database.
 * @throws HttpProblem for any other response
 */
export async function send(outgoing: Outgoing): Promise<Response> {
  const act = outgoing.isAct ? beginAct(outgoing) : undefined
  const request = async () => {
    const response = await (outgoing.asPerson
      ? attemptAsPerson(outgoing, act?.key)
      : attempt(outgoing, act?.key))
    // A 5xx may come from a proxy although the server has processed the request.
    if (response.status < 500) act?.answered()
    if (response.ok) return response
    const problem = await problemOf(response)
    if (outgoing.asPerson) consequencesOf(problem, outgoing.url)
    throw problem
  }
  if (outgoing.isResumed) return request()
  return outlasting(request, { isRead: outgoing.method === 'GET' && !act, signal: outgoing.signal })
}

function consequencesOf(problem: HttpProblem, url: string) {
  const { status, body } = problem
  if (body.code === LIMIT_REACHED) return publishLimitReached(problem)
  if (getSession().staff) {
    // A 403 signs out of the console (administration §8).
    if (status === 403) endSession('expired')
    return
  }
  const path = url.startsWith(apiUrl()) ? url.slice(apiUrl().length).replace(/\?.*/, '') : url
  if (status === 429 && !COUNTED_DOWN.test(path)) endSession('throttled')
  // The permissions have changed, unless only a verification is required.
  if (status === 403 && body.code !== VERIFICATION_REQUIRED && path !== SESSION_PATHS.me)
    void refreshMe().catch(() => undefined)
}

let askingMe: Promise<void> | null = null

/** Fetches the signed-in person and their permissions. */
export function refreshMe(): Promise<void> {
  askingMe ??= send({ method: 'GET', url: apiUrl() + SESSION_PATHS.me, asPerson: true })
    .then(async (response) => setMe((await response.json()) as Me))
    .finally(() => {
      askingMe = null
    })
  return askingMe
}

/** Ends the session on the server if it can be reached, and here in any case. */
export async function signOut(): Promise<void> {
  const url = apiUrl() + SESSION_PATHS.signOut
  const asked = getSession().tokens && attempt({ method: 'POST', url, asPerson: true }, undefined, 0)
  endSession('left')
  await asked?.catch(() => undefined)
}

/** Refreshes the token before it expires, while somebody is signed in. Returns a function that stops. */
export function keepSignedIn(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const plan = () => {
    clearTimeout(timer)
    const { tokens } = getSession()
    if (!tokens) return
    const ms = msUntilRefresh(tokens.refreshToken === null ? 0 : REFRESH_MARGIN_SECONDS)
    // Checks again after a limited time, which also covers an unknown expiry, a computer's sleep and a failure.
    timer = setTimeout(plan, Math.min(Math.max(ms, PLAN_MIN_MS), PLAUSIBLE_LIFE_MS))
    if (ms <= 0) refresh().catch(() => undefined)
  }
  const unsubscribe = subscribeSession(plan)
  plan()
  return () => {
    unsubscribe()
    clearTimeout(timer)
  }
}
