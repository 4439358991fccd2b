import * as z from 'zod/mini'

import { defineApi, download, list } from '#contract/kit/endpoint.ts'
import { listQuery } from '#contract/kit/query.ts'

import { auditLogAccess as access } from './access.ts'
import { AuditChoices, AuditEvent, AuditFilter, CheckFrom, CheckResult } from './schema.ts'

// Only people who administer users read the log: API keys have no access.
const path = '/useradmin/auditLog'
export const AUDIT_SORT_FIELDS = ['timestamp'] as const
const query = listQuery(AUDIT_SORT_FIELDS, AuditFilter)

/** The organisation's audit log: its whole event stream, to read, download and verify (design §5). */
export const auditLogApi = defineApi({
  list: {
    method: 'GET',
    path,
    access,
    summary:
      'What happened in the organisation, newest first unless `sort` says otherwise; 1,000 events at most.',
    query,
    limit: 'by query',
    reply: list(AuditEvent),
  },
  choices: {
    method: 'GET',
    path: `${path}/choices`,
    access,
    summary: 'What the list can be narrowed to.',
    reply: AuditChoices,
  },
  export: {
    method: 'GET',
    path: `${path}/export`,
    access,
    summary: 'Everything that `filter` finds as a CSV file, oldest first, with each event as it is stored.',
    query,
    limit: 'documents',
    reply: download('text/csv; charset=utf-8'),
  },
  check: {
    method: 'POST',
    path: `${path}/check`,
    access,
    repeatable: true,
    summary:
      'Checks the next part of the chain of fingerprints. Call it again with what it answers until `done`.',
    body: CheckFrom,
    reply: CheckResult,
  },
  get: {
    method: 'GET',
    path: `${path}/:sequence`,
    access,
    summary: 'One event, with every value whole.',
    params: z.object({ sequence: z.coerce.number().check(z.int(), z.positive()) }),
    reply: AuditEvent,
  },
})
