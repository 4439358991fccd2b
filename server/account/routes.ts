import type { accountApi } from '#contract/account/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import {
  changeMe,
  changeMyPassword,
  myDevices,
  pictureAt,
  previewOf,
  removePicture,
  savePicture,
  signOutDevice,
  signOutOthers,
} from './flows.ts'

export const accountRoutes = (services: Services): Handlers<typeof accountApi> => ({
  update: ({ body }, { db, caller }) => changeMe(db, caller, body),
  // Hashing is slow, so it runs outside a transaction.
  changePassword: {
    outsideTransaction: async ({ body }, context) => {
      await changeMyPassword(services, body, context)
    },
  },
  devices: (_, { db, caller }) => myDevices(db, caller),
  signOutDevice: async ({ params }, { db, caller }) => {
    await signOutDevice(db, caller, params.id)
  },
  signOutOthers: async (_, { db, caller }) => {
    await signOutOthers(db, caller)
  },
  previewPicture: async ({ file }) => previewOf(file.bytes),
  savePicture: { outsideTransaction: ({ file }, context) => savePicture(services, file.bytes, context) },
  removePicture: async (_, { db, caller }) => {
    await removePicture(services, db, caller)
  },
  picture: ({ params }) => pictureAt(services, params.token),
})
