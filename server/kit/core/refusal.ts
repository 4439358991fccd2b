import type { Problem } from '#contract/kit/refusal.ts'

const CODES: { readonly [status: number]: string } = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'timeout',
  409: 'conflict',
  410: 'gone',
  413: 'too_large',
  415: 'unsupported_media_type',
  416: 'range_not_satisfiable',
  417: 'expectation_failed',
  429: 'too_many_requests',
  431: 'headers_too_large',
  503: 'unavailable',
  507: 'insufficient_storage',
}

interface Details {
  /** Code for programs; named after the status by default. */
  readonly code?: string
  readonly fields?: { readonly [path: string]: string }
  /** All problems, for a form that lists them. */
  readonly errorMessages?: readonly string[]
  readonly msUntilNextAttempt?: number
}

/** Message for a caller without a permission. */
export const FORBIDDEN = 'You do not have permission to do this.'

/** An expected refusal, whose message is for the user. Any other thrown value is an unexpected error. */
export class Refusal extends Error {
  readonly status: number
  readonly details: Details

  constructor(status: number, sentence: string, details: Details = {}) {
    super(sentence)
    this.status = status
    this.details = details
  }

  /** The response body. */
  toProblem(): Problem {
    const { code = CODES[this.status] ?? 'refused', fields, errorMessages, msUntilNextAttempt } = this.details
    return {
      code,
      message: this.message,
      ...(fields ? { fields: { ...fields } } : {}),
      ...(errorMessages ? { errorMessages: [...errorMessages] } : {}),
      ...(msUntilNextAttempt === undefined ? {} : { msUntilNextAttempt }),
    }
  }
}

/** A refusal with one sentence, both as its message and at the field. */
export const wrongField = (field: string, sentence: string, status = 400) =>
  new Refusal(status, sentence, { fields: { [field]: sentence } })

export const notFound = (what: string) => new Refusal(404, `${what} does not exist.`)

const joined = new Intl.ListFormat('en-GB')
/** The refusal of a stale save: names who changed the record since, and which fields where known. */
export const stale = (who: readonly string[] | string | null, what: readonly string[] = []) => {
  const people = joined.format(typeof who === 'string' ? [who] : (who ?? [])) || 'Somebody else'
  const fields = joined.format(what.map((field) => `the ${field}`)) || 'this'
  return new Refusal(409, `${people} changed ${fields} meanwhile. Your changes were not saved.`, {
    code: 'stale',
  })
}

/** Refuses unless a condition holds. */
export function demand(holds: boolean, status: number, sentence: string): asserts holds {
  if (!holds) throw new Refusal(status, sentence)
}
