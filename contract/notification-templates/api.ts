import { BODY_LIMIT_TEXTS } from '#contract/kit/endpoint.ts'
import { plainApi } from '#contract/kit/plain-api.ts'

import { notificationTemplatesAccess } from './access.ts'
import { NotificationTemplate, templateInputs } from './schema.ts'

/** Templates of mass notifications (administration §7.4). */
export const notificationTemplatesApi = plainApi({
  access: notificationTemplatesAccess,
  paths: { list: '/massNotification/templates', item: '/massNotification/template' },
  label: { one: 'notification template', many: 'notification templates' },
  item: NotificationTemplate,
  inputs: templateInputs,
  sortFields: ['title', 'updateTimestamp'],
  bodyLimit: BODY_LIMIT_TEXTS,
})
