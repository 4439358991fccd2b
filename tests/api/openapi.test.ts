import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'

import { everybody, has, personWith } from '#contract/kit/access.ts'
import { type Api, defineApi, download, list, upload } from '#contract/kit/endpoint.ts'
import { listQuery } from '#contract/kit/query.ts'
import { ById, email, id, nothing, requiredText } from '#contract/kit/text.ts'
import { APIS, MANAGEMENT_APIS } from '#server/nouns.ts'
import { makeOrigins } from '#server/kit/http/origins.ts'
import { type Operation, type OpenApi, openApiDocument } from '#server/kit/openapi/document.ts'
import { registerDocs } from '#server/kit/openapi/openapi.ts'

const Thing = z.object({ id, name: z.string(), kind: z.prefault(z.enum(['A', 'B']), 'A') })
const api = defineApi({
  list: {
    method: 'GET',
    path: '/things',
    access: has('dashboard'),
    summary: 'All things.',
    query: listQuery(['name'], z.object({ q: z.optional(z.string()) })),
    reply: list(Thing),
  },
  create: {
    method: 'POST',
    path: '/things',
    access: personWith('user-admin'),
    summary: 'Makes a thing.',
    body: z.object({ name: requiredText('Name it.', 40), owner: email, like: z.optional(Thing) }),
    reply: Thing,
    status: 201,
    errors: { 409: 'The name is taken.' },
  },
  attach: {
    method: 'POST',
    path: '/things/:id/file',
    access: everybody,
    summary: 'Takes a file.',
    params: ById,
    body: upload(z.object({ title: z.string() })),
    reply: nothing,
  },
  fetch: {
    method: 'GET',
    path: '/things/:id/file',
    access: everybody,
    summary: 'The file.',
    params: ById,
    reply: download('application/pdf'),
  },
})
const small = openApiDocument({ things: api }, '1.2.3', { Thing })
const call = (document: OpenApi, method: string, path: string) => document.paths[path]![method] as any

/** Programs that use the generated types. Each line marked as an error has to be one. */
const CLIENTS: Readonly<Record<string, string>> = {
  '/openapi.json': `
    import type { operations, paths } from './api'
    type Sent = paths['/incident']['post']['requestBody']['content']['application/json']
    export const incident: Sent = { title: 'Power failure', fullText: '<p>Both feeds</p>', severity: 'HIGH' }
    // @ts-expect-error There is no such severity.
    export const wrong: Sent = { title: 'Power failure', fullText: '<p>Both feeds</p>', severity: 'HUGE' }
    export type Answered = operations['incidents.get']['responses'][200]['content']['application/json']
    export const titleOf = (answered: Answered): string => answered.title
  `,
  '/management-api/openapi.json': `
    import type { operations } from './api'
    type Sent = operations['managed-organisations.create']['requestBody']['content']['application/json']
    export const level: Sent['subscriptionLevel'] = 'BASIC'
    // @ts-expect-error There is no such level.
    export const wrong: Sent['subscriptionLevel'] = 'GOLD'
  `,
}

describe('the document', () => {
  test('says what a list takes and answers', () => {
    const { parameters, responses, security, ...rest } = call(small, 'get', '/things')
    expect(rest).toMatchObject({
      operationId: 'things.list',
      tags: ['things'],
      'x-muster-access': { realm: 'organisation', anyPermission: ['dashboard'] },
    })
    expect(security).toEqual([{ bearer: [], organisation: [] }, { apiKey: [] }])
    const filter = parameters.find(({ name }: { name: string }) => name === 'filter')
    expect(filter).toMatchObject({ in: 'query', required: false })
    expect(filter.content['application/json'].schema.properties).toEqual({ q: { type: 'string' } })
    expect(responses[200].headers).toHaveProperty('Content-Range')
    expect(responses[200].content['application/json'].schema).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/Thing' },
    })
  })

  test('says what a body may be, and every refusal', () => {
    const { requestBody, responses, security } = call(small, 'post', '/things')
    expect(requestBody.content['application/json'].schema).toMatchObject({
      required: ['name', 'owner'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 40 },
        owner: { type: 'string', format: 'email' },
        like: { $ref: '#/components/schemas/ThingInput' },
      },
    })
    expect(security).toEqual([{ bearer: [], organisation: [] }])
    expect(Object.keys(responses)).toEqual([
      '201',
      '400',
      '401',
      '403',
      '409',
      '413',
      '415',
      '422',
      '429',
      '507',
    ])
    expect(responses[409]).toMatchObject({ description: 'The name is taken.' })
    expect(responses[409].content['application/json'].schema.$ref).toBe('#/components/schemas/Problem')
  })

  test('tells what is sent from what is answered, where they differ', () => {
    const { Thing: answered, ThingInput: sent } = small.components.schemas
    expect(answered!.required).toContain('kind')
    expect(sent!.required).not.toContain('kind')
    expect(Object.keys(small.components.schemas)).toEqual(['Problem', 'Thing', 'ThingInput'])
  })

  test('has files as files', () => {
    const { requestBody } = call(small, 'post', '/things/{id}/file')
    expect(requestBody.content['multipart/form-data'].schema).toEqual({
      type: 'object',
      properties: { file: { type: 'string', format: 'binary' }, title: { type: 'string' } },
      required: ['file', 'title'],
    })
    const { responses } = call(small, 'get', '/things/{id}/file')
    expect(responses[200].content).toHaveProperty(['application/pdf', 'schema', 'format'], 'binary')
    expect(call(small, 'post', '/things/{id}/file').responses).toHaveProperty('204')
  })
})

describe('served', () => {
  const app = Fastify()
  let document: OpenApi
  beforeAll(async () => {
    registerDocs(app, {
      apis: APIS,
      management: { apis: MANAGEMENT_APIS, base: '/management-api' },
      origins: makeOrigins({ publicUrl: null, host: '127.0.0.1' }, () => 3000),
    })
    document = (await app.inject('/openapi.json')).json()
  })
  afterAll(() => app.close())
  const operations = (from: OpenApi): { path: string; method: string; operation: Operation }[] =>
    Object.entries(from.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    )

  test('has every call of every contract, under a name of its own', () => {
    const expected = Object.entries<Api>(APIS).flatMap(([noun, api]) =>
      Object.keys(api).map((name) => `${noun}.${name}`),
    )
    const found = operations(document).map(({ operation }) => operation.operationId)
    expect(found.toSorted()).toEqual(expected.toSorted())
    expect(new Set(found).size).toBe(found.length)
  })

  test('refers to nothing that is not there', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]!)
    expect(refs.length).toBeGreaterThan(20)
    const dangling = refs.filter((ref) => {
      const steps = ref.replace(/^#\//, '').split('/')
      return steps.reduce<any>((place, step) => place?.[step], document) === undefined
    })
    expect(dangling).toEqual([])
    expect(document.components.schemas).toHaveProperty('Incident')
  })

  test('declares every parameter of a path, and no other', () => {
    for (const { path, operation } of operations(document)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      const declared = (operation.parameters ?? []).filter((one) => one.in === 'path')
      expect(
        declared.map(({ name }) => name),
        path,
      ).toEqual(inPath)
      expect(declared.every(({ required }) => required)).toBe(true)
    }
  })

  // Addresses end up in histories, logs and referrers. A picture's is a secret of its own, because images
  // send no header.
  test('asks for nothing secret in an address', () => {
    const asked = operations(document).flatMap(({ operation }) =>
      (operation.parameters ?? [])
        .filter((one) => one.in !== 'header')
        .map(({ name }) => `${operation.operationId} ${name}`),
    )
    const secret = / .*(token|password|passcode|secret|ticket|key|confirmationCode)/i
    // Media players and viewers send no headers; their ticket expires within minutes, and with the session.
    expect(asked.filter((one) => secret.test(one))).toEqual([
      'account.picture token',
      'attachments.content ticket',
      'chat.fileContent ticket',
      'files.content ticket',
      'file-links.content ticket',
    ])
  })

  test('declares the idempotency key of every call that changes or sends something', () => {
    const keyed = operations(document).filter(({ operation }) =>
      operation.parameters?.some((one) => one.in === 'header' && one.name === 'Idempotency-Key'),
    )
    const ids = keyed.map(({ operation }) => operation.operationId)
    expect(ids).toEqual(
      expect.arrayContaining(['incidents.create', 'sessions.signIn', 'users.sendActivation']),
    )
    expect(keyed.every(({ operation }) => '422' in operation.responses)).toBe(true)
    const others = operations(document).filter(({ operation }) => !ids.includes(operation.operationId))
    expect(
      others
        .filter(({ method }) => method !== 'get')
        .map(({ operation }) => operation.operationId)
        .sort(),
    ).toEqual([
      'account.previewPicture',
      'attachments.downloadTicket',
      'audit-log.check',
      'calls.decline',
      'calls.end',
      'calls.join',
      'calls.leave',
      'calls.ring',
      'calls.start',
      'calls.startInIncident',
      'channels.list',
      'channels.members',
      'chat.addToIncident',
      'chat.changeMembership',
      'chat.editMessage',
      'chat.fileTicket',
      'chat.hideRoom',
      'chat.hostedMentions',
      'chat.openIncidentRoom',
      'chat.pin',
      'chat.presence',
      'chat.react',
      'chat.readHostedMentions',
      'chat.readRoom',
      'chat.readThread',
      'chat.saveMessage',
      'chat.scheduleMessage',
      'chat.sendMessage',
      'chat.typeInRoom',
      'chat.unpin',
      'chat.unreact',
      'chat.unreadRoom',
      'chat.unsaveMessage',
      'file-links.download',
      'file-links.look',
      'file-links.preview',
      'file-links.upload',
      'file-links.withdraw',
      'files.archiveTicket',
      'files.conflicts',
      'files.continueUpload',
      'files.downloadTicket',
      'files.endUpload',
      'files.hold',
      'files.preview',
      'files.star',
      'import-columns.keepOfContacts',
      'import-columns.keepOfUsers',
      'live.ticket',
      'mass-notifications.contacts',
      'mass-notifications.members',
      'mass-notifications.reach',
      'playbook-imports.preview',
      'playbooks.doneEditing',
      'playbooks.editing',
      'sessions.checkPasswordLink',
      'sessions.refresh',
      'sessions.signOut',
      'users.existing',
      'welcome.renew',
    ])
  })

  test('is OpenAPI in its structure', () => {
    expect(document.openapi).toBe('3.1.0')
    for (const { path, method, operation } of operations(document)) {
      const where = `${method} ${path}`
      expect(path, where).toMatch(/^\/[^:]*$/)
      expect(['get', 'post', 'put', 'patch', 'delete'], where).toContain(method)
      expect(method === 'get' && operation.requestBody !== undefined, where).toBe(false)
      for (const parameter of operation.parameters ?? [])
        expect((parameter.schema === undefined) !== (parameter.content === undefined), where).toBe(true)
      const statuses = Object.keys(operation.responses)
      expect(statuses.filter((status) => /^2\d\d$/.test(status)).length, where).toBe(1)
      for (const [status, response] of Object.entries(operation.responses))
        expect('$ref' in response || response.description.length > 0, `${where} ${status}`).toBe(true)
      for (const scheme of operation.security.flatMap((one) => Object.keys(one)))
        expect(document.components.securitySchemes, where).toHaveProperty(scheme)
    }
    expect(JSON.stringify(document)).not.toMatch(/"(\$schema|\$id|~standard)"/)
  })

  test.each([
    ['/openapi.json', APIS],
    ['/management-api/openapi.json', MANAGEMENT_APIS],
  ])('%s has an example of every JSON body, which its contract accepts', async (path, apis) => {
    const served: OpenApi = (await app.inject(path)).json()
    const bodies = operations(served).flatMap(({ operation }) => {
      const content = operation.requestBody?.content['application/json']
      return content ? [{ id: operation.operationId, example: content.example }] : []
    })
    expect(bodies.length).toBeGreaterThan(10)
    for (const { id, example } of bodies) {
      const [noun, name] = id.split('.') as [string, string]
      const body = (apis as Record<string, Api>)[noun]![name]!.body as z.ZodMiniType
      expect(z.safeParse(body, example).error?.issues, id).toBeUndefined()
    }
  })

  test.each(['/openapi.json', '/management-api/openapi.json'])(
    'a client that openapi-typescript generates from %s compiles',
    async (path) => {
      const folder = await mkdtemp(join(tmpdir(), 'muster-openapi-'))
      const tools = join(import.meta.dirname, '../openapi-client/node_modules/.bin')
      const run = promisify(execFile)
      try {
        await writeFile(join(folder, 'openapi.json'), (await app.inject(path)).body)
        await run(
          join(tools, 'openapi-typescript'),
          ['openapi.json', '-o', 'api.ts', '--default-non-nullable=false'],
          { cwd: folder },
        )
        await writeFile(join(folder, 'client.ts'), CLIENTS[path]!)
        const compiler = ['--noEmit', '--strict', '--target', 'es2022', 'client.ts']
        const { stdout } = await run(join(tools, 'tsc'), compiler, { cwd: folder }).catch((error) => error)
        expect(stdout).toBe('')
      } finally {
        await rm(folder, { recursive: true })
      }
    },
  )

  test('is not sent again to who has it', async () => {
    const first = await app.inject('/openapi.json')
    const headers = { 'If-None-Match': String(first.headers['etag']) }
    expect((await app.inject({ url: '/openapi.json', headers })).statusCode).toBe(304)
  })

  test('reads as a page without scripts, with every call and no broken link', async () => {
    const page = await app.inject({ url: '/docs', headers: { host: 'localhost:8443' } })
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.body).not.toMatch(/<script|style=|\son\w+=|\[object|undefined/)
    expect(page.body).toContain('http://localhost:8443/api/incident')
    const ids = [...page.body.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]!)
    expect(new Set(ids).size).toBe(ids.length)
    const links = [...page.body.matchAll(/href="#([^"]+)"/g)].map((match) => match[1]!)
    expect(links.filter((link) => !ids.includes(link))).toEqual([])
    for (const { operation } of operations(document)) expect(ids).toContain(operation.operationId)
    expect((await app.inject('/docs/page.css')).headers['content-type']).toContain('text/css')
    expect((await app.inject('/docs/inter.woff2')).rawPayload.subarray(0, 4).toString()).toBe('wOF2')
  })

  test('escapes what a caller can put into the page', async () => {
    const page = await app.inject({ url: '/docs', headers: { host: '"><script>alert(1)</script>' } })
    expect(page.body).not.toContain('<script>')
  })
})
