import { loadSideList, withLayout } from '#src/kit/resource/resourceLayout.ts'

/** Loads the file of each declared resource, by name. The application's entry starts with that of its address. */
export const RESOURCE_FILES = {
  'mass-notifications/templates': withLayout(() => import('./notification-templates.tsx'), loadSideList),
  'user-admin': withLayout(() => import('./users.tsx')),
  groups: withLayout(() => import('./groups.tsx'), loadSideList),
  'incident-roles': withLayout(() => import('./incident-roles.tsx')),
  duties: withLayout(() => import('./duties.tsx')),
  'messaging-admin': withLayout(() => import('./messaging-admin.tsx')),
  'audit-log': withLayout(() => import('./audit-log.tsx')),
  'settings/api-keys': withLayout(() => import('./api-keys.tsx')),
  'settings/incident-kinds': withLayout(() => import('./incident-kinds.tsx')),
  'settings/incident-fields': withLayout(() => import('./incident-fields.tsx')),
  'settings/declarations': withLayout(() => import('./declarations.tsx'), loadSideList),
  'settings/webhooks': withLayout(() => import('./webhooks.tsx'), loadSideList),
}
