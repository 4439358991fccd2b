import raEnglish from 'ra-language-english'

import { account } from './account.ts'
import { apiKeys } from './api-keys.ts'
import { asked } from './asked.ts'
import { attachments } from './attachments.ts'
import { auditLog } from './audit-log.ts'
import { callDevices, callWindow } from './call-window.ts'
import { calls } from './calls.ts'
import { channels } from './channels.ts'
import { chat } from './chat.ts'
import { approvals } from './approvals.ts'
import { chatActivities } from './chat-activities.ts'
import { confirmations } from './confirmations.ts'
import { chatMessages } from './chat-messages.ts'
import { chatRooms } from './chat-rooms.ts'
import { configItems } from './config-items.ts'
import { contacts } from './contacts.ts'
import { core } from './core.ts'
import { tableImport } from './table-import.ts'
import { find, shortcuts } from './find.ts'
import { fileLinks } from './file-links.ts'
import { files } from './files.ts'
import { fileDetails } from './file-details.ts'
import { filePreview } from './file-preview.ts'
import { fileUploads } from './file-uploads.ts'
import { grid } from './grid.ts'
import { groups } from './groups.ts'
import { imports } from './imports.ts'
import { incidents } from './incidents.ts'
import { massNotifications } from './mass-notifications.ts'
import { notificationTemplates } from './notification-templates.ts'
import { people } from './people.ts'
import { playbookDialogs } from './playbook-dialogs.ts'
import { playbooks } from './playbooks.ts'
import { readiness } from './readiness.ts'
import { richText } from './rich-text.ts'
import { signIn } from './sign-in.ts'
import { suppressions } from './suppressions.ts'
import { userImport } from './user-import.ts'
import { users } from './users.ts'
import { verifications } from './verifications.ts'

/** English texts: one part per noun, and react-admin's own. They load with the first page. */
export const english = {
  ...raEnglish,
  ...core,
  account,
  apiKeys,
  asked,
  attachments,
  auditLog,
  callDevices,
  calls,
  callWindow,
  channels,
  chat,
  approvals,
  chatActivities,
  chatMessages,
  confirmations,
  chatRooms,
  configItems,
  contacts,
  tableImport,
  fileLinks,
  files,
  fileDetails,
  filePreview,
  fileUploads,
  find,
  grid,
  groups,
  imports,
  incidents,
  massNotifications,
  notificationTemplates,
  people,
  playbookDialogs,
  playbooks,
  readiness,
  richText,
  shortcuts,
  signIn,
  suppressions,
  userImport,
  users,
  verifications,
}
