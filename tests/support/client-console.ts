import { act, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect } from 'vitest'

import type { StaffRole } from '#contract/kit/access.ts'
import type { ConfigItem } from '#contract/config-items/schema.ts'
import { CONFIG, type ConfigKey } from '#contract/config/catalogue.ts'
import type {
  IncidentOverview,
  ManagedIncident,
  ProviderDashboard,
} from '#contract/managed-incidents/schema.ts'
import type {
  Enterprise,
  ManagedOrganisation,
  OrganisationDetail,
} from '#contract/managed-organisations/schema.ts'

import { answer, API, FakeSocket, server } from './client.tsx'

/** Signs a member of staff in to the console; its calls go to the scripted server. */
export function staffSignedIn(
  expiresAt = new Date(Date.now() + 8 * 3_600_000).toISOString(),
  role: StaffRole = 'ADMINISTER',
) {
  // The path decides which session is read.
  history.replaceState(null, '', '/management/organizations')
  const email = 'staff@muster.example'
  const tokens = { authenticationToken: 'staff', authenticationTokenExpiry: expiresAt, refreshToken: null }
  localStorage.setItem(
    'muster.management',
    JSON.stringify({ staff: { email, role, baseUrl: API }, uuid: email, tokens }),
  )
  window.dispatchEvent(new StorageEvent('storage', { key: 'muster.management' }))
  answer('get', '/management/me', {
    id: crypto.randomUUID(),
    email,
    role,
    expiresAt,
    hasAuthenticator: false,
  })
  answer('get', '/credentials', { available: 0 })
  answer('get', '/enterprises/deletions', [])
  answer('get', '/dashboard', totals())
}

export const totals = (changes: Partial<ProviderDashboard> = {}): ProviderDashboard => ({
  organizations: 44,
  incidentsInProgress: 3,
  tabletopsInProgress: 1,
  safe: 40,
  activeUsers: 1_203,
  ...changes,
})

export const DAY = 86_400_000
export const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString()

export const anEnterprise = (changes: Partial<Enterprise> = {}): Enterprise => ({
  id: crypto.randomUUID(),
  code: 'harbour-bank',
  displayName: 'Harbour Bank',
  enterpriseDomain: 'harbour.example',
  createTimestamp: daysAgo(400),
  maxUsers: 200,
  parentId: null,
  ...changes,
})

export function anOrganisation(
  changes: Partial<Enterprise> = {},
  rest: Partial<ManagedOrganisation> = {},
): ManagedOrganisation {
  const enterprise = anEnterprise(changes)
  return {
    id: enterprise.id,
    enterprise,
    adminUser: { firstName: 'Mara', lastName: 'Holm', email: 'mara@harbour.example' },
    subscription: { contractNumber: 'C-17', level: 'SMALL_TEAM', maxUser: 200 },
    welcomePackageStatus: null,
    welcomePackageSentTimestamp: null,
    hasHostedChat: false,
    suspendedTimestamp: null,
    nearLimits: [],
    ...rest,
  }
}

export const aDetail = (
  organisation: ManagedOrganisation,
  changes: Partial<OrganisationDetail> = {},
): OrganisationDetail => ({
  ...organisation,
  activeUsers: 42,
  maxUsers: 1_200,
  filesCount: 7,
  incidentsCount: 7,
  notifications: null,
  storage: { used: 0, max: 10_737_418_240 },
  ownConfigKeys: [],
  users: [],
  ...changes,
})

export const anOverview = (
  { id, enterprise }: ManagedOrganisation,
  changes: Partial<IncidentOverview> = {},
): IncidentOverview => ({
  id,
  enterprise,
  status: 'SAFE',
  lastIncidentTimestamp: null,
  duration: 90_000,
  title: null,
  checkIns: 0,
  currentUsers: 42,
  updates: 0,
  tasks: 0,
  attachments: 0,
  ...changes,
})

export const aManagedIncident = (changes: Partial<ManagedIncident> = {}): ManagedIncident => ({
  id: crypto.randomUUID(),
  title: 'Flood in the archive',
  isActive: false,
  isTabletop: false,
  outcome: null,
  createTimestamp: daysAgo(3),
  resolveTimestamp: daysAgo(2),
  createdBy: 'mara@harbour.example',
  previewText: 'Water in two rooms.',
  checkIns: [],
  attachments: 0,
  activities: [],
  isTargeted: false,
  targetedUsers: [],
  postmortemDetails: null,
  ...changes,
})

/** An item of the catalogue with its default value. */
export function aConfigItem(databaseKey: ConfigKey, changes: Partial<ConfigItem> = {}): ConfigItem {
  const { type, description, groupTag, visibility, modifyAccess, default: value } = CONFIG[databaseKey]
  const defaultValue = (typeof value === 'object' ? [...value] : value) as ConfigItem['defaultValue']
  return {
    databaseKey,
    type,
    description,
    groupTag,
    visibility,
    modifyAccess,
    isSecret: 'isSecret' in CONFIG[databaseKey],
    hasValue: defaultValue !== '',
    currentValue: defaultValue,
    defaultValue,
    globalOverriddenValue: null,
    isGlobalOverridden: false,
    isEnterpriseCustom: false,
    lastChange: null,
    differingCount: null,
    ...changes,
  }
}

/**
 * Connects the page's live socket, which makes it request everything once more. The returned function reports
 * a change of a noun.
 * @param fetches number of requests so far of the data under test
 */
export async function connected(fetches: () => number): Promise<(noun: string) => void> {
  await waitFor(() => expect(FakeSocket.last?.sent).toHaveLength(1))
  const socket = FakeSocket.last!
  const before = fetches()
  act(() => socket.say({ type: 'ready', sequence: 0 }))
  await waitFor(() => expect(fetches()).toBeGreaterThan(before))
  const hint = { type: 'event', sequence: 0, record: '', verb: 'changed', parent: null } as const
  return (noun) => act(() => socket.say({ ...hint, noun }))
}

/** Counts the calls of one path. */
export function counted(path: string, body: object, headers: Record<string, string> = {}) {
  const urls: URL[] = []
  server.use(
    http.get(`${API}${path}`, ({ request }) => {
      urls.push(new URL(request.url))
      return HttpResponse.json(body, { headers })
    }),
  )
  return urls
}
