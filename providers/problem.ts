import type { Problem } from '#contract/kit/refusal.ts'

export interface ProblemBody extends Partial<Problem> {
  /** Messages by field, in the shape that react-admin's forms expect. */
  readonly errors?: Readonly<Record<string, string>>
}

/** A failed call. Status 0 means that no response came. */
export class HttpProblem extends Error {
  readonly status: number
  readonly body: ProblemBody
  constructor(message: string, status: number, body: ProblemBody = {}) {
    super(message)
    this.name = 'HttpProblem'
    this.status = status
    this.body = body
  }
}

export const NO_ANSWER = 'Please check your Internet connection.'

/** Messages for pages that stand between this browser and the server: of a network, or of a proxy. */
export const NETWORK_PAGE =
  'Another page answered in place of the server, such as the sign-in page of this network. Sign in to the network, and try again.'
export const proxyPage = (status: number): string =>
  `A proxy answered in place of the server (${status}). Please try again.`

/**
 * The problem where a page answered in place of the server, which answers no call with HTML. Status 0 where the page
 * claims success: no response of the server came.
 */
export function foreignAnswerOf({ ok, status, headers }: Response): HttpProblem | undefined {
  if (!headers.get('Content-Type')?.startsWith('text/html')) return undefined
  const message = ok ? NETWORK_PAGE : proxyPage(status)
  return new HttpProblem(message, ok ? 0 : status, { code: 'foreign_answer', message })
}

/** The refusal in an unsuccessful response. Any other body becomes a problem with the response's status. */
export async function problemOf(response: Response): Promise<HttpProblem> {
  const body = (await response.json().catch(() => null)) as Partial<Problem> | null
  if (typeof body?.code !== 'string' || typeof body.message !== 'string')
    return new HttpProblem(response.statusText || `HTTP ${response.status}`, response.status)
  return new HttpProblem(body.message, response.status, {
    ...body,
    ...(body.fields && { errors: body.fields }),
  })
}

/** The status of a failed call; undefined for any other error. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof HttpProblem ? error.status : undefined

/** The server's message for people, or the fallback. Messages of a 500 tell people nothing. */
export const messageOf = (error: unknown, fallback: string): string =>
  error instanceof HttpProblem && error.body.code !== undefined && error.status !== 500 && error.message
    ? error.message
    : fallback

/** True for errors that need no report: no network, or no session (foundation §8). */
export const isExpected = (error: unknown): boolean =>
  (error instanceof HttpProblem && (error.status === 0 || error.status === 401)) ||
  (error instanceof DOMException && error.name === 'AbortError') ||
  (error instanceof Error &&
    /failed to fetch|networkerror|load failed|network request failed|dynamically imported module/i.test(
      error.message,
    ))
