import { contactsApi } from '#contract/contacts/api.ts'
import { importsApi } from '#contract/imports/api.ts'
import { incidentsApi } from '#contract/incidents/api.ts'
import { type Endpoint, pathOf, type Request } from '#contract/kit/endpoint.ts'

import { massNotificationsApi } from '#contract/mass-notifications/api.ts'

import { type Html, html } from '../http/page.ts'

/** A shell variable: `$KEY`. */
type Filled = `$${Uppercase<string>}`
interface Example {
  /** Heading of the example. */
  readonly does: string
  /** Sentence about the part of the response that the next line needs. */
  readonly afterwards?: Html
  readonly endpoint: Endpoint
  readonly params?: Readonly<Record<string, Filled>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  /** Fields of a form; a value that begins with `@` names a file. */
  readonly form?: Readonly<Record<string, string>>
}

/** An example of a call, type-checked against the contract. */
const example = <const E extends Endpoint>(
  endpoint: E,
  sent: Pick<Example, 'does' | 'afterwards' | 'params' | 'query' | 'form'> &
    (Request<E>['body'] extends undefined ? unknown : { readonly body: Request<E>['body'] }),
): Example => ({ endpoint, ...sent })

/**
 * How-to for API keys, in the order of a first session. The reading page prints each example as a shell line, and a
 * test runs every printed line.
 */
export const EXAMPLES: readonly Example[] = [
  example(incidentsApi.create, {
    does: 'Declare an incident:',
    afterwards: html`The answer has its <code>id</code>. Put it in <code>INCIDENT</code>, such as
      <code>INCIDENT=0b9e3f0a-58d8-4d3a-8a6f-3a0a3d1a7d11</code>, for the calls that follow.`,
    body: {
      title: 'Power failure in building 2',
      fullText: '<p>Both feeds are down. The provider expects two hours.</p>',
      severity: 'HIGH',
    },
  }),
  example(incidentsApi.addActivity, {
    does: 'Add an update to it, which everybody who follows the incident sees at once:',
    params: { id: '$INCIDENT' },
    body: { type: 'UPDATE', description: 'The generator is running. Servers are safe until 18:00.' },
  }),
  example(incidentsApi.addActivity, {
    does: 'Give it a task:',
    params: { id: '$INCIDENT' },
    body: {
      type: 'TASK',
      title: 'Refuel the generator',
      description: 'Fuel for six hours is in the shed behind gate B.',
      priority: 'HIGH',
    },
  }),
  example(incidentsApi.list, {
    does: 'The newest incidents and exercises:',
    query: { page: 0, size: 20 },
  }),
  example(contactsApi.add, {
    does: 'Add people to a contact list, which this makes where there is none:',
    body: [
      {
        name: 'Ana Costa',
        email: 'ana.costa@example.org',
        phone: '+1 416 555 0123',
        list: 'Building 2',
      },
      { name: 'Bo Lind', email: 'bo.lind@example.org', list: 'Building 2' },
    ],
  }),
  example(importsApi.contacts, {
    does: 'Keep a contact list like a file, such as every night. The file has the columns Name, Email Address, Phone Number and Contact List, or names that are known from other products:',
    afterwards: html`The answer says how many were added, changed and left alone, who is gone, and every row
      with a problem. <code>dryRun=true</code> only says so. Who is gone stays in the list, unless
      <code>gone=REMOVE</code> is sent. The report is kept for a year, at <code>/imports/{id}/rows</code>, and
      a person can undo it. Users are imported alike at <code>/imports/users</code>, with a key that may.`,
    form: { file: '@people.csv', source: 'CRM' },
  }),
  example(massNotificationsApi.send, {
    does: 'Send a notification:',
    afterwards: html`Everybody in the list gets the email, and everybody with a phone the SMS. With an
      <a href="#repetitions"><code>Idempotency-Key</code></a> it can be sent again after a connection broke:
      nobody is notified a second time.`,
    body: {
      title: 'Building 2 is closed',
      emailMessage: 'Both feeds are down. Please work from home until Thursday.',
      smsMessage: 'Building 2 is closed until Thursday.',
      types: ['EMAIL', 'SMS'],
      level: 'CRITICAL',
      contactListIds: ['Building 2'],
    },
  }),
]

/** Quotes a text for the shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** The shell line that makes a call with the key in `KEY`. */
export function curlOf({ endpoint, params = {}, query, body, form }: Example, baseUrl: string): string {
  const names = Object.keys(params)
  // Placeholders, because encoding would hide shell variables in a path.
  const path = pathOf(endpoint, Object.fromEntries(names.map((name) => [name, `__${name}__`])))
  const filled = names.reduce((text, name) => text.replace(`__${name}__`, params[name]!), path)
  const search = new URLSearchParams(
    Object.entries(query ?? {}).map(([name, value]) => [name, String(value)]),
  )
  const method =
    endpoint.method === (body === undefined && !form ? 'GET' : 'POST') ? [] : ['-X', endpoint.method]
  return [
    'curl',
    ...method,
    '-H "X-Api-Key: $KEY"',
    ...Object.entries(form ?? {}).map(([name, value]) => `-F ${quoted(`${name}=${value}`)}`),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(body))}`]),
    `"${baseUrl}${filled}${search.size > 0 ? `?${search}` : ''}"`,
  ].join(' ')
}

/** The examples for the reading page. */
export const examples = (baseUrl: string): Html =>
  html`${EXAMPLES.map(
    (one) => html`
      <p>${one.does}</p>
      <pre tabindex="0"><code>${curlOf(one, baseUrl)}</code></pre>
      ${one.afterwards && html`<p>${one.afterwards}</p>`}
    `,
  )}`
