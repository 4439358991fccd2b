import type { massNotificationsApi } from '#contract/mass-notifications/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { chosenContacts, groupMembers, notifiableGroups, openReach } from './recipients.flows.ts'
import { answerOnBehalf, cancelMessages, closeQuestion, respondentsOf } from './answers.flows.ts'
import { openEscalation, stopEscalation } from './escalation.flows.ts'
import { demandSubscription, openDashboard } from './flows.ts'
import {
  notificationRecipients,
  notificationsAbout,
  openNotification,
  personMessages,
  recipientsFile,
  sentNotifications,
} from './history.flows.ts'
import { sendCorrection, sendNotification } from './sending.flows.ts'

export const massNotificationsRoutes = (services: Services): Handlers<typeof massNotificationsApi> => ({
  dashboard: (_, { db, caller }) => openDashboard(services, db, caller),
  send: {
    first: demandSubscription,
    handle: ({ body, query }, { db, caller }) =>
      sendNotification(services, db, caller, body, { withPeople: query.populateNotified, isGuarded: true }),
  },
  correct: {
    first: demandSubscription,
    handle: ({ params, body, query }, { db, caller }) =>
      sendCorrection(services, db, caller, params.id, { ...body, withPeople: query.populateNotified }),
  },
  members: ({ body, query }, { db, caller }) => groupMembers(db, caller, body.groupIds, query),
  contacts: ({ body, query }, { db, caller }) => chosenContacts(db, caller, body, query),
  reach: ({ body }, { db, caller }) => openReach(db, caller, body),
  groups: (_, { db, caller }) => notifiableGroups(db, caller),
  list: ({ query }, { db }) => sentNotifications(db, query),
  get: ({ params, query }, { db }) => openNotification(db, params.id, query.populateNotified),
  recipients: ({ params, query }, { db }) => notificationRecipients(db, params.id, query),
  personMessages: ({ params }, { db }) => personMessages(db, params.id, params.person),
  recipientsFile: ({ params }, { db }) => recipientsFile(db, params.id),
  respondents: ({ params, query }, { db }) => respondentsOf(db, params.id, query),
  answerOnBehalf: ({ params, body }, { db, caller }) => answerOnBehalf(services, db, caller, params.id, body),
  closeQuestion: ({ params }, { db, caller }) => closeQuestion(db, caller, params.id),
  aboutIncident: ({ params, query }, { db }) => notificationsAbout(db, params.id, query),
  escalation: ({ params }, { db }) => openEscalation(db, params.id),
  stopEscalation: ({ params }, { db, caller }) => stopEscalation(db, caller, params.id),
  cancel: async ({ params }, { db, caller }) => ({ cancelled: await cancelMessages(db, caller, params.id) }),
})
