import {
  type DeclarationSource,
  FORM_KEPT,
  type IssuedSource,
  type NewSource,
} from '#contract/declarations/schema.ts'
import { wrongField } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import { newToken, openToken, sealToken } from '#server/kit/security/secrets.ts'
import type { Services } from '#server/kit/services.ts'

import { sources } from './store.ts'

/** Beginning of an address; what follows names the organisation and the source. */
const ADDRESS = 'wd'
/** The organisation that an address names; null for another text. */
export const organisationOfAddress = (addressId: string): string | null =>
  openToken(ADDRESS, addressId)?.organisationId ?? null
/** Owner of a sealed secret. */
export const secretOwner = (addressId: string): string => `declaration source ${addressId}`

/** Adds a source. Only this response contains its secret. */
export async function createSource(
  { secrets }: Pick<Services, 'secrets'>,
  db: OrgDb,
  caller: Pick<Caller, 'organisation'>,
  given: NewSource,
): Promise<IssuedSource> {
  const addressId = sealToken(ADDRESS, caller.organisation.id).token
  const secret = `ms_${newToken()}`
  const sealed = secrets.seal(secret, secretOwner(addressId))
  const source = await sources.create(db, { ...given, addressId, secret: sealed })
  return { ...source, secret }
}

/**
 * Changes a source.
 * @throws Refusal 400 for another form, 404, 409
 */
export async function changeSource(
  db: OrgDb,
  id: string,
  { version, ...values }: NewSource & { readonly version?: number | undefined },
): Promise<DeclarationSource> {
  const before = await sources.hold(db, id, version)
  if (values.form !== before.form) throw wrongField('form', FORM_KEPT)
  return sources.update(db, before, values)
}
