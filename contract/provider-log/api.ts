import * as z from 'zod/mini'

import {
  AuditChoices,
  AuditEvent,
  CheckFrom,
  CheckResult,
  ProviderLogFilter,
} from '#contract/audit-log/schema.ts'
import { staffAs } from '#contract/kit/access.ts'
import { defineApi, download, list } from '#contract/kit/endpoint.ts'
import { listQuery } from '#contract/kit/query.ts'

const path = '/auditLog'
const query = listQuery(['timestamp'], ProviderLogFilter)

/** The provider's own audit log of its staff, kept and verified like that of an organisation. */
export const providerLogApi = defineApi({
  list: {
    method: 'GET',
    path,
    access: staffAs.look,
    summary: 'What staff did, newest first unless `sort` says otherwise; 1,000 events at most.',
    query,
    reply: list(AuditEvent),
  },
  choices: {
    method: 'GET',
    path: `${path}/choices`,
    access: staffAs.look,
    summary: 'What the list can be narrowed to.',
    reply: AuditChoices,
  },
  export: {
    method: 'GET',
    path: `${path}/export`,
    access: staffAs.look,
    summary: 'Everything that `filter` finds as a CSV file, oldest first.',
    query,
    reply: download('text/csv; charset=utf-8'),
  },
  check: {
    method: 'POST',
    path: `${path}/check`,
    access: staffAs.look,
    repeatable: true,
    summary:
      'Checks the next part of the chain of fingerprints. Call it again with what it answers until `done`.',
    body: CheckFrom,
    reply: CheckResult,
  },
  get: {
    method: 'GET',
    path: `${path}/:sequence`,
    access: staffAs.look,
    summary: 'One event, with every value whole.',
    params: z.object({ sequence: z.coerce.number().check(z.int(), z.positive()) }),
    reply: AuditEvent,
  },
})
