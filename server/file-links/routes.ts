import type { fileLinksApi } from '#contract/file-links/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { linksOf, makeLink, withdrawLink } from './flows.ts'
import {
  linkContent,
  linkDownload,
  linkItems,
  linkPreview,
  linkUploads,
  lookAt,
  openLink,
  receiveFile,
} from './visits.flows.ts'

export const fileLinksRoutes = (services: Services): Handlers<typeof fileLinksApi> => ({
  list: ({ query }, { db, caller }) => linksOf(db, caller, query),
  create: { outsideTransaction: ({ body }, context) => makeLink(body, context) },
  withdraw: async ({ params }, { db, caller }) => {
    await withdrawLink(db, caller, params.id)
  },
  look: ({ body }, client) => lookAt(services, body.token, client),
  open: ({ body }, client) => openLink(services, body, client),
  items: ({ headers, query }, client) => linkItems(services, headers['link-visit'], query, client),
  download: ({ headers, params }, client) => linkDownload(services, headers['link-visit'], params.id, client),
  preview: ({ headers, params }, client) => linkPreview(services, headers['link-visit'], params.id, client),
  content: ({ params, query: { page } }, client) =>
    linkContent(services, params.ticket, { headers: client.request.headers, page }, client),
  uploads: ({ headers }, client) => linkUploads(services, headers['link-visit'], client),
  upload: ({ headers, bytes }, client) => receiveFile(services, headers, bytes, client),
})
