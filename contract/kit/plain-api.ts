import * as z from 'zod/mini'

import type { Access } from './access.ts'
import { BODY_LIMIT, defineApi, list, type Schema } from './endpoint.ts'
import { listQuery } from './query.ts'
import { ById, nothing, text } from './text.ts'

interface Declaration<A, Item, Inputs, Sort extends string> {
  readonly access: A
  /** Path of the list, and path before the id of a record. */
  readonly paths: { readonly list: string; readonly item: string }
  /** Name of a record in the documentation. */
  readonly label: { readonly one: string; readonly many: string }
  readonly item: Item
  /** The fields of a body. A change may also carry the `version` that it is based on. */
  readonly inputs: Inputs
  readonly sortFields: readonly [Sort, ...Sort[]]
  readonly bodyLimit?: number
}

/** Endpoints of a noun that only lists, adds, changes and deletes records. */
export const plainApi = <
  A extends Access,
  Item extends Schema,
  Inputs extends z.core.$ZodShape,
  Sort extends string,
>({
  access,
  paths,
  label: { one, many },
  item,
  inputs,
  sortFields,
  bodyLimit = BODY_LIMIT,
}: Declaration<A, Item, Inputs, Sort>) =>
  defineApi({
    list: {
      method: 'GET',
      path: paths.list,
      access,
      summary: `The ${many} of the organisation.`,
      // `q` holds words to search for in every text of a record.
      query: listQuery(sortFields, z.object({ q: z.optional(text()) })),
      reply: list(item),
    },
    create: {
      method: 'POST',
      path: paths.item,
      access,
      summary: `Adds a ${one}.`,
      body: z.object(inputs),
      bodyLimit,
      reply: item,
      status: 201,
      errors: { 409: `There is such a ${one} already.` },
    },
    update: {
      method: 'PUT',
      path: `${paths.item}/:id`,
      access,
      summary: `Changes a ${one}.`,
      params: ById,
      body: z.extend(z.object(inputs), { version: z.optional(z.int()) }),
      bodyLimit,
      reply: item,
      errors: { 409: `There is such a ${one} already, or somebody else changed it meanwhile.` },
    },
    remove: {
      method: 'DELETE',
      path: `${paths.item}/:id`,
      access,
      summary: `Deletes a ${one}.`,
      params: ById,
      reply: nothing,
      status: 204,
    },
  })
