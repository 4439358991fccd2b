import { http, HttpResponse } from 'msw'
import { vi } from 'vitest'

import { NARROW } from '#src/kit/layout/breakpoints.ts'
import { PHONE } from '#src/kit/resource/resourceLayout.ts'
import { getTheme } from '#src/kit/theme/theme.ts'

import { API, server } from './client.tsx'

// Without a layout, a virtualised table would be empty.
const { MuiDataGrid } = getTheme().components as unknown as { MuiDataGrid: { defaultProps: object } }
Object.assign(MuiDataGrid.defaultProps, { disableVirtualization: true })

type Row = Readonly<Record<string, unknown>>
/** A request for a list. */
export interface ListRequest {
  readonly sort: readonly [field: string, order: 'ASC' | 'DESC'] | undefined
  readonly range: readonly [first: number, last: number] | undefined
  readonly filter: Row
}

/** react-admin's parameter of an address for a list that is narrowed. */
export const filteredBy = (filter: Row) => `filter=${encodeURIComponent(JSON.stringify(filter))}`
/** The filter in the page's address. */
export const filterNow = () => JSON.parse(new URLSearchParams(location.search).get('filter') ?? '{}') as Row

/** Scripts a paged list and records its requests. */
export function serveList(path: string, rows: () => readonly Row[]) {
  const asked: ListRequest[] = []
  const read = (url: URL, name: string) => JSON.parse(url.searchParams.get(name) ?? 'null') as unknown
  server.use(
    http.get(`${API}${path}`, ({ request }) => {
      const url = new URL(request.url)
      const question = {
        sort: read(url, 'sort') ?? undefined,
        range: read(url, 'range') ?? undefined,
        filter: read(url, 'filter') ?? {},
      } as ListRequest
      asked.push(question)
      const { q, ...exact } = question.filter as { q?: string }
      const found = rows().filter(
        (row) =>
          (q === undefined || JSON.stringify(row).toLowerCase().includes(q.toLowerCase())) &&
          Object.entries(exact).every(([field, value]) => row[field] === value),
      )
      const [first, last] = question.range ?? [0, found.length - 1]
      return HttpResponse.json(found.slice(first, last + 1), {
        headers: { 'Content-Range': `items ${first}-${last}/${found.length}` },
      })
    }),
  )
  return asked
}

/** Answers a call and records its bodies. */
export function receive(
  verb: 'post' | 'put',
  path: string,
  reply: (body: Row) => Row,
  status = verb === 'post' ? 201 : 200,
) {
  const bodies: Row[] = []
  server.use(
    http[verb](`${API}${path}`, async ({ request }) => {
      const body = (await request.json()) as Row
      bodies.push(body)
      return HttpResponse.json(reply(body), { status })
    }),
  )
  return bodies
}

/** Simulates a phone. */
export function onAPhone() {
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: media === PHONE || media === NARROW,
    media,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
  }))
}

/** Collects the files that the browser would save. The test restores all mocks. */
export function savedFiles() {
  const files: { name: string; blob: Blob }[] = []
  vi.stubGlobal(
    'URL',
    Object.assign(URL, {
      createObjectURL: (blob: Blob) => `blob:${files.push({ name: '', blob })}`,
      revokeObjectURL: () => undefined,
    }),
  )
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function named(this: HTMLAnchorElement) {
    if (files.length > 0) files.at(-1)!.name = this.download
  })
  return files
}
/** Collects the addresses that the browser would download. The test restores all mocks. */
export function downloadedFrom() {
  const urls: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function noted(this: HTMLAnchorElement) {
    if (this.hasAttribute('download')) urls.push(this.href)
  })
  return urls
}
export const linesOf = async ({ blob }: { blob: Blob }) => (await blob.text()).split('\r\n')
