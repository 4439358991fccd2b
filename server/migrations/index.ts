import type { Migration } from 'kysely/migration'

import * as kit from './0001-kit.ts'
import * as users from './0002-users.ts'
import * as incidents from './0003-incidents.ts'
import * as apiKeys from './0004-api-keys.ts'
import * as userList from './0005-user-list.ts'
import * as signInProtection from './0006-sign-in-protection.ts'
import * as account from './0007-account.ts'
import * as notifications from './0008-notifications.ts'
import * as groups from './0009-groups.ts'
import * as attachments from './0010-attachments.ts'
import * as targetGroups from './0011-target-groups.ts'
import * as reportRequests from './0012-report-requests.ts'
import * as roomsAndPlaybookFiles from './0013-rooms-and-playbook-files.ts'
import * as auditLog from './0014-audit-log.ts'
import * as apiKeyExpiry from './0015-api-key-expiry.ts'
import * as massNotifications from './0016-mass-notifications.ts'
import * as policiesOnce from './0017-policies-once.ts'
import * as externalViewers from './0018-external-viewers.ts'
import * as installation from './0019-installation.ts'
import * as signInLimits from './0020-sign-in-limits.ts'
import * as idempotency from './0022-idempotency.ts'

/** All migrations in their order. A landed one is never edited: what it got wrong, the next one mends. */
export const migrations: Record<string, Migration> = {
  '0001-kit': kit,
  '0002-users': users,
  '0003-incidents': incidents,
  '0004-api-keys': apiKeys,
  '0005-user-list': userList,
  '0006-sign-in-protection': signInProtection,
  '0007-account': account,
  '0008-notifications': notifications,
  '0009-groups': groups,
  '0010-attachments': attachments,
  '0011-target-groups': targetGroups,
  '0012-report-requests': reportRequests,
  '0013-rooms-and-playbook-files': roomsAndPlaybookFiles,
  '0014-audit-log': auditLog,
  '0015-api-key-expiry': apiKeyExpiry,
  '0016-mass-notifications': massNotifications,
  '0017-policies-once': policiesOnce,
  '0018-external-viewers': externalViewers,
  '0019-installation': installation,
  '0020-sign-in-limits': signInLimits,
  '0022-idempotency': idempotency,
}
