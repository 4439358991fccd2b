import type { StorageItem } from '#contract/files/schema.ts'

const AT = '2026-03-01T09:00:00.000Z'

/** Response headers that let a browser upload to another origin. */
export const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'PATCH',
  'Access-Control-Allow-Headers':
    'authorization, content-type, enterprise-code, idempotency-key, tus-resumable, upload-offset, web-app-version',
  'Access-Control-Expose-Headers': 'File-Version, Location, Upload-Length, Upload-Offset',
}

export const anItem = (id: number, changes: Partial<StorageItem> = {}): StorageItem => ({
  id,
  name: `file ${id}`,
  extension: changes.isFolder ? '' : 'pdf',
  size: changes.isFolder ? 0 : 1_258_291,
  isFolder: false,
  parentFolderId: 0,
  folderType: 'PUBLIC',
  groupIds: [],
  createdBy: 'grace@demo.example',
  createdByName: 'Grace Hopper',
  createTimestamp: AT,
  updateTimestamp: AT,
  isEditable: true,
  isOnHold: false,
  isStarred: false,
  type: changes.isFolder ? null : 'application/pdf',
  sha256: changes.isFolder ? null : 'ab'.repeat(32),
  fileVersion: 1,
  version: 1,
  ...changes,
})
