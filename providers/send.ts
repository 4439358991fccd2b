import { LIMIT_REACHED } from '#contract/kit/limits.ts'
import { REFRESH_MARGIN_SECONDS, SESSION_PATHS } from '#contract/sessions/access.ts'
import type { Me, RefreshedTokens } from '#contract/sessions/schema.ts'
import { VERIFICATION_REQUIRED } from '#contract/verifications/access.ts'

import { beginAct } from './idempotency.ts'
import { publishLimitReached } from './limits.ts'
import { oneTabAtATime } from './oneTab.ts'
import { outlasting } from './outage.ts'
import { HttpProblem, NO_ANSWER, problemOf } from './problem.ts'
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
  /** Whether the call is made in the name of the signed-in person. */
  readonly asPerson: boolean
  /** Whether the call changes or sends something: it then carries an `Idempotency-Key`. */
  readonly isAct?: boolean
  /** Headers of its own, beside those of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | FormData | Blob | undefined
  /** Whether a request that the network lost is made again by the caller, who knows better from where. */
  readonly isResumed?: boolean
  readonly signal?: AbortSignal | undefined
  /** What carries the request, where `fetch` does not do. */
  readonly transport?: typeof fetch | undefined
}

const NETWORK_RETRY_MS = 1_000
const REFRESH_RETRY_MS = 3_000
/** A request for tokens without an answer for so long is made once more, `REFRESH_TRIES` times in all. */
const REFRESH_SLOW_MS = 10_000
const REFRESH_TRIES = 6
/** Statuses of a refresh token that is not good. Others, such as a proxy's 404 or a 429, say nothing of it. */
const REFUSED: ReadonlySet<number> = new Set([400, 401])
/** Least pause between two looks at a token that is due. */
const PLAN_MIN_MS = 15_000
/** No server gives tokens that live shorter. */
const PLAUSIBLE_LIFE_MS = 30_000
/** Calls that show a countdown when they come too often; any other ends the session (foundation §8, decisions §5). */
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

/** One request, made again after a second when the network fails. */
async function attempt(outgoing: Outgoing, key?: string, triesLeft = 1): Promise<Response> {
  const { method, url, body, signal, transport = fetch } = outgoing
  try {
    const init = { method, headers: headersOf(outgoing, key), body: body ?? null, signal: signal ?? null }
    const response = await transport(url, init)
    noteDateHeader(response.headers.get('Date'))
    return response
  } catch (error) {
    if (signal?.aborted) throw error
    if (triesLeft === 0 || outgoing.isResumed) throw new HttpProblem(NO_ANSWER, 0)
    await pause(NETWORK_RETRY_MS)
    return attempt(outgoing, key, triesLeft - 1)
  }
}

/** Waits until the device is online: being in a tunnel is no reason to be signed out. */
const online = () =>
  navigator.onLine
    ? Promise.resolve()
    : new Promise<void>((resolve) => window.addEventListener('online', () => resolve(), { once: true }))

type TokensAnswer =
  | { readonly kind: 'tokens'; readonly tokens: RefreshedTokens }
  | { readonly kind: 'refused' }

/** @throws HttpProblem when the server fails, or nothing whole arrives: that says nothing about the session */
async function requestTokens(refreshToken: string, signal: AbortSignal): Promise<TokensAnswer> {
  const url = apiUrl() + SESSION_PATHS.refresh
  const body = JSON.stringify({ refreshToken })
  const response = await attempt({ method: 'POST', url, asPerson: false, body, signal })
  if (REFUSED.has(response.status)) return { kind: 'refused' }
  if (!response.ok) throw await problemOf(response)
  // Cut off, or the page of some network's own sign-in.
  const tokens = (await response.json().catch(() => null)) as RefreshedTokens | null
  if (!tokens?.authenticationToken) throw new HttpProblem(NO_ANSWER, 0)
  return { kind: 'tokens', tokens }
}

/**
 * Requests new tokens until an answer comes. One that is slow is asked for again and still listened to: the server answers
 * a repetition with the same refresh token.
 * @throws HttpProblem when the server failed twice or answered nothing for a minute
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
 * Uses the refresh token up, unless another tab did so already. The session ends when the token is refused, and never
 * because the server or the network fails.
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
  // Refused for good, unless another tab has a newer one by now.
  if (rereadSession().tokens?.refreshToken === tokens.refreshToken) endSession('expired')
}

let refreshing: Promise<void> | null = null
/** Whether the server has refused the token that is being replaced: calls wait then. */
let isRefused = false

/** Refreshes the tokens: one request for all concurrent callers, in all tabs. */
function refresh(usedToken = getSession().tokens?.authenticationToken): Promise<void> {
  refreshing ??= oneTabAtATime(() => renew(usedToken)).finally(() => {
    refreshing = null
    isRefused = false
  })
  return refreshing
}

let renewedAt = Number.NEGATIVE_INFINITY

/** Milliseconds until the token should be refreshed; negative when it is due. */
function msUntilRefresh(marginSeconds: number): number {
  // A new token that looks expired means that this device's clock is wrong: then only a refusal triggers the refresh.
  if (Math.abs(Date.now() - renewedAt) < PLAUSIBLE_LIFE_MS) return Number.POSITIVE_INFINITY
  const expiry = getSession().tokens?.authenticationTokenExpiry
  return expiry ? Date.parse(expiry) - marginSeconds * 1_000 - serverNow() : Number.POSITIVE_INFINITY
}

/**
 * A token that is neither expired nor refused. While one is replaced ahead of time, calls go on with it.
 * @throws HttpProblem 401 when the session has ended, another when no new token could be had
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
 * Sends a request and returns the response of a success. A refused token is refreshed once and the request replayed;
 * requests during the refresh wait for it. While the server cannot reach its database, what may be repeated is.
 * @throws HttpProblem for everything else
 */
export async function send(outgoing: Outgoing): Promise<Response> {
  const act = outgoing.isAct ? beginAct(outgoing) : undefined
  const request = async () => {
    const response = await (outgoing.asPerson
      ? attemptAsPerson(outgoing, act?.key)
      : attempt(outgoing, act?.key))
    // A server error may come from a proxy in between: the request may be done.
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
    // The console's rule (administration §8).
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

/** Ends the session on the server as far as it can be reached, and here in any case. */
export async function signOut(): Promise<void> {
  const url = apiUrl() + SESSION_PATHS.signOut
  const asked = getSession().tokens && attempt({ method: 'POST', url, asPerson: true }, undefined, 0)
  endSession('left')
  await asked?.catch(() => undefined)
}

/** Refreshes the token before it expires, as long as somebody is signed in. Returns a function that stops. */
export function keepSignedIn(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const plan = () => {
    clearTimeout(timer)
    const { tokens } = getSession()
    if (!tokens) return
    const ms = msUntilRefresh(tokens.refreshToken === null ? 0 : REFRESH_MARGIN_SECONDS)
    // Judged again after a while when nothing is known yet, which also outlives a computer's sleep, and after a failure.
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
