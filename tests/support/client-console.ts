import { http, HttpResponse } from 'msw'

import type { ConfigItem } from '#contract/config-items/schema.ts'
import { CONFIG, type ConfigKey } from '#contract/config/catalogue.ts'
import type { IncidentOverview, ManagedIncident } from '#contract/managed-incidents/schema.ts'
import type {
  Enterprise,
  ManagedOrganisation,
  OrganisationDetail,
} from '#contract/managed-organisations/schema.ts'

import { answer, API, server } from './client.tsx'

/** A member of staff is signed in to the console of this browser; its calls go to the scripted server. */
export function staffSignedIn(expiresAt = new Date(Date.now() + 8 * 3_600_000).toISOString()) {
  // The address decides whose session is read.
  history.replaceState(null, '', '/management/organizations')
  const email = 'staff@muster.example'
  const tokens = { authenticationToken: 'staff', authenticationTokenExpiry: expiresAt, refreshToken: null }
  localStorage.setItem(
    'muster.management',
    JSON.stringify({ staff: { email, baseUrl: API }, uuid: email, tokens }),
  )
  window.dispatchEvent(new StorageEvent('storage', { key: 'muster.management' }))
  answer('get', '/credentials', { available: 0 })
  answer('get', '/enterprises/deletions', [])
}

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
    ...rest,
  }
}

export const aDetail = ({ id, enterprise, subscription }: ManagedOrganisation): OrganisationDetail => ({
  id,
  enterprise,
  subscription,
  activeUsers: 42,
  maxUsers: 1_200,
  filesCount: 7,
  incidentsCount: 7,
  users: [],
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
    ...changes,
  }
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
