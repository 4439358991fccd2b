import * as z from 'zod/mini'

import { beforeNewPassword, everybody, signedIn } from '#contract/kit/access.ts'
import { defineApi, download, heldUpload } from '#contract/kit/endpoint.ts'
import { ById, nothing } from '#contract/kit/text.ts'
import { SessionUser } from '#contract/sessions/schema.ts'

import {
  Device,
  MyChanges,
  MyPassword,
  Picture,
  PICTURE_MAX_BYTES,
  PICTURE_TOO_LARGE,
  PICTURE_TYPE,
} from './schema.ts'

const picture = heldUpload(z.object({}), { max: PICTURE_MAX_BYTES, tooLarge: PICTURE_TOO_LARGE })
const notAPicture = {
  400: 'No file was sent, or the image is broken or has too many pixels.',
  413: 'The image has more than 7 MB.',
  415: 'It is no JPEG, PNG or BMP image, whatever its name says.',
  503: 'Too many images are being converted at this moment.',
}

/** The person's own account (foundation §2 "Account dialogs", §7). */
export const accountApi = defineApi({
  update: {
    method: 'PATCH',
    path: '/me',
    access: signedIn,
    summary:
      'Accepts the terms, or changes the phone numbers. Answers the person, with the numbers as they are kept.',
    body: MyChanges,
    reply: SessionUser,
  },
  changePassword: {
    method: 'PATCH',
    path: '/me/changePassword',
    access: beforeNewPassword,
    summary:
      'Sets a new password. The other sessions of the person end, this one stays. More than ten minutes after the sign-in it takes the current password too, or a verified session.',
    body: MyPassword,
    reply: nothing,
    status: 204,
    errors: {
      400: 'The password breaks a rule, is easily guessed, or is one of the last that the person had; or the current password is wrong.',
      403: 'The sign-in is not recent, and neither the current password nor a verification was given: `verification_required`.',
      409: 'The password was changed in another place at the same moment.',
      429: 'Too many wrong passwords.',
    },
  },
  devices: {
    method: 'GET',
    path: '/me/sessions',
    access: signedIn,
    summary: 'Where the person is signed in, this device first, then the last active ones.',
    reply: z.array(Device),
  },
  signOutDevice: {
    method: 'DELETE',
    path: '/me/sessions/:id',
    access: signedIn,
    summary: 'Signs a device of the person out: its tokens are refused from now on.',
    params: ById,
    reply: nothing,
    status: 204,
  },
  signOutOthers: {
    method: 'DELETE',
    path: '/me/sessions',
    access: signedIn,
    summary: 'Signs all devices of the person out but this one.',
    reply: nothing,
    status: 204,
  },
  previewPicture: {
    method: 'POST',
    path: '/profileImage/convertedImagePreview',
    access: signedIn,
    repeatable: true,
    summary:
      'The picture as it would be kept: square, without what cameras write into images. Keeps nothing.',
    body: picture,
    reply: download(PICTURE_TYPE),
    errors: notAPicture,
  },
  savePicture: {
    method: 'POST',
    path: '/profileImage',
    access: signedIn,
    summary: "Makes an image the person's picture, instead of the one before.",
    body: picture,
    reply: Picture,
    errors: notAPicture,
  },
  removePicture: {
    method: 'DELETE',
    path: '/profileImage',
    access: signedIn,
    summary: "Removes the person's picture. Their initials are shown again.",
    reply: nothing,
    status: 204,
  },
  picture: {
    method: 'GET',
    path: '/profileImage/:token',
    // Image elements send no headers, so the unguessable address alone gives access.
    access: everybody,
    summary: 'A picture, by the address that a person is answered with. A picture that was replaced is gone.',
    params: z.object({ token: z.string() }),
    reply: download(PICTURE_TYPE),
    errors: { 404: 'There is no such picture, or no longer.' },
  },
})
