import { examples } from './docs-examples.ts'
import { fieldsTable, resolved, table, typeOf } from './docs-fields.ts'
import { type OpenApi, type Operation, type Response, sharedRefusal } from './document.ts'
import { type Html, html, htmlPage } from '../http/page.ts'

interface Call {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** `api-keys` as a heading. */
const titleOf = (noun: string): string => {
  const words = noun.replaceAll('-', ' ').replace(/\bapi\b/g, 'API')
  return words[0]!.toUpperCase() + words.slice(1)
}

/** The API documentation: an introduction, and each call with its input and reply. */
export function docsPage(document: OpenApi, baseUrl: string): string {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Call => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
  const nouns = document.tags.map(({ name }) => ({
    name,
    calls: calls.filter(({ operation }) => operation.tags.includes(name)),
  }))
  const schemas = Object.entries(document.components.schemas)
  const navigation = html`
    <nav aria-label="Contents">
      <ul>
        <li><a href="#begin">How to begin</a></li>
        <li><a href="#lists">Lists</a></li>
        <li><a href="#repetitions">Repetitions</a></li>
        <li><a href="#refusals">Refusals</a></li>
        ${nouns.map(
          (noun) => html`
            <li>
              <a href="#${noun.name}">${titleOf(noun.name)}</a>
              <ul>
                ${noun.calls.map(
                  ({ method, path, operation }) =>
                    html`<li>
                      <a href="#${operation.operationId}">${badge(method)} <span>${path}</span></a>
                    </li>`,
                )}
              </ul>
            </li>
          `,
        )}
        <li><a href="#schemas">Schemas</a></li>
      </ul>
    </nav>
  `
  const main = html`
    <h1>Muster API</h1>
    <p class="lead">
      Version ${document.info.version}. The same as a document for machines:
      <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).
    </p>
    ${introduction(document, baseUrl)}
    ${nouns.map(
      (noun) => html`
        <section aria-labelledby="${noun.name}">
          <h2 id="${noun.name}">${titleOf(noun.name)}</h2>
          ${noun.calls.map((call) => callSection(document, call))}
        </section>
      `,
    )}
    <section aria-labelledby="schemas">
      <h2 id="schemas">Schemas</h2>
      ${schemas.map(
        ([name, schema]) =>
          html`<article aria-labelledby="schema-${name}">
            <h3 id="schema-${name}">${name}</h3>
            ${fieldsTable(schema, `Fields of ${name}`, name.startsWith('New') || name.endsWith('Input'))}
          </article>`,
      )}
    </section>
  `
  return htmlPage({ title: 'API', navigation, main })
}

const badge = (method: string): Html => html`<span class="method ${method.toLowerCase()}">${method}</span>`

const introduction = (document: OpenApi, baseUrl: string): Html => html`
  <section aria-labelledby="begin">
    <h2 id="begin">How to begin</h2>
    <p>
      All paths are below <code>${baseUrl}</code>. What is sent and answered is JSON unless a call says
      otherwise.
    </p>
    <p>
      An administrator makes an <strong>API key</strong> under Settings, API Keys. It is shown once. Send it
      with every call in the header <code>X-Api-Key</code>. A key acts as the organisation: it can work with
      incidents and read playbooks and groups, but cannot do what only a person may.
    </p>
    <p>
      Keep it in a variable of your shell, <code>KEY=mk_…</code>. An administrator can restrict a key to
      addresses (else <code>403</code>) and let it expire (<code>401</code> from then on).
    </p>
    ${examples(baseUrl)}
    <p>
      A person signs in with <a href="#sessions.signIn">email and password</a>, and sends the token as
      <code>Authorization: Bearer …</code> together with <code>Enterprise-Code</code>, the code of the
      organisation. The token lasts 15 minutes; <a href="#sessions.refresh">the refresh token</a> gets a new
      one.
    </p>
  </section>
  <section aria-labelledby="lists">
    <h2 id="lists">Lists</h2>
    <p>
      Calls that answer a list take <code>sort=["lastName","ASC"]</code>, <code>range=[0,49]</code> (both ends
      included) and <code>filter={"q":"ada"}</code>, each as JSON in the query. They then answer that page,
      and the header <code>Content-Range: items 0-49/128</code> says how many there are. Without them the
      whole list is answered.
    </p>
  </section>
  <section aria-labelledby="repetitions">
    <h2 id="repetitions">Repetitions</h2>
    <p>
      An answer can be lost on its way. Send a key of your own, such as a UUID, in the header
      <code>Idempotency-Key</code> with every call that changes or sends something, and repeat the call with
      the same key: it is done once, and answered the same again for 24 hours, with
      <code>Idempotent-Replayed: true</code>. Another request under the same key is refused
      (<code>422</code>). What was refused may be tried again under its key.
    </p>
  </section>
  <section aria-labelledby="refusals">
    <h2 id="refusals">Refusals</h2>
    <p>
      Every refused call answers the same shape. <code>code</code> is for programs, <code>message</code> for a
      person, <code>fields</code> says what is wrong with which field, and
      <code>msUntilNextAttempt</code> when to try again.
    </p>
    ${fieldsTable(document.components.schemas['Problem']!, 'Problem', false)}
  </section>
`

function accessOf(access: Operation['x-muster-access']): Html {
  if (access.realm === 'public') return html`Anybody`
  if (access.realm === 'provider') return html`Staff of the provider`
  const who = access.realm === 'person' ? 'People' : 'People and API keys'
  const listed = (permissions: readonly string[], word: string) =>
    permissions.map((permission, index) => html`${index > 0 && word}<code>${permission}</code>`)
  const verified =
    access.verifiedWith && html`; with <code>${access.verifiedWith}</code> in a verified session`
  const { anyPermission, everyPermission } = access
  if (!anyPermission && !everyPermission) return html`${who} who are signed in${verified}`
  return html`${who} with
  ${anyPermission && listed(anyPermission, ' or ')}${
    anyPermission && everyPermission && ', and with '
  }${everyPermission && listed(everyPermission, ' and ')}${verified}`
}

function callSection(document: OpenApi, { method, path, operation }: Call): Html {
  const { parameters = [], requestBody } = operation
  const answers = Object.entries(operation.responses).map(([status, response]) => ({
    status: Number(status),
    ...('$ref' in response ? sharedRefusal(document, response.$ref) : response),
  }))
  return html`
    <article aria-labelledby="${operation.operationId}">
      <h3 id="${operation.operationId}">${operation.summary}</h3>
      <p class="call">${badge(method)} <code>${path}</code></p>
      <p class="access">${accessOf(operation['x-muster-access'])}</p>
      ${
        parameters.length > 0 &&
        table(
          'Parameters',
          parameters.map(({ name, required, schema, content }) => ({
            name: content ? `${name} (JSON)` : name,
            schema: schema ?? Object.values(content ?? {})[0]!.schema,
            mark: required,
          })),
        )
      }
      ${Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) =>
        fieldsTable(resolved(document, schema), `Body (${type})`, true),
      )}
      ${answers.filter(({ status }) => status < 300).map((answer) => reply(answer))}
      <details>
        <summary>Refusals</summary>
        <dl>
          ${answers
            .filter(({ status }) => status >= 300)
            .map(
              ({ status, description }) =>
                html`<dt>${status}</dt>
                  <dd>${description}</dd>`,
            )}
        </dl>
      </details>
    </article>
  `
}

function reply({ status, description, headers, content }: Response & { readonly status: number }): Html {
  const parts = Object.entries(content ?? {})
  return html`
    <p class="reply">
      <strong>${status}</strong> ${description}
      ${parts.map(([type, { schema }]) =>
        type === 'application/json' ? html`Answers ${typeOf(schema)}.` : html`<code>${type}</code>`,
      )}
      ${Object.entries(headers ?? {}).map(
        ([name, header]) => html`<br />Header <code>${name}</code>: ${header.description}`,
      )}
    </p>
    ${parts
      .filter(([type, { schema }]) => type === 'application/json' && schema.properties)
      .map(([, { schema }]) => fieldsTable(schema, 'Answer', false))}
  `
}
