import * as z from 'zod/mini'

import { CONFIG, CONFIG_KEYS, type ConfigKey, type ConfigVisibility } from './catalogue.ts'

const valueSchemas = {
  BOOLEAN: z.boolean(),
  INTEGER: z.int(),
  STRING: z.string(),
  ENUM: z.string(),
  STRING_LIST: z.readonly(z.array(z.string())),
  NUMBER_LIST: z.readonly(z.array(z.int())),
}

type Shape<K extends ConfigKey> = { [Key in K]: (typeof valueSchemas)[(typeof CONFIG)[Key]['type']] }
type Visible<V extends ConfigVisibility> = {
  [K in ConfigKey]: (typeof CONFIG)[K]['visibility'] extends V ? K : never
}[ConfigKey]

const shapeOf = (...levels: ConfigVisibility[]) =>
  Object.fromEntries(
    CONFIG_KEYS.filter((key) => levels.includes(CONFIG[key].visibility)).map((key) => [
      key,
      valueSchemas[CONFIG[key].type],
    ]),
  )

/** Public configuration of an organisation (foundation §3 "Organisation config"). */
export const OrganisationConfig = z.object({
  /** The organisation's name, shown above the sign-in form and in the application. */
  displayName: z.string(),
  streamApiKey: z.string(),
  multiIncident: z.boolean(),
  manageAdminToolId: z.string(),
})
export type OrganisationConfig = z.infer<typeof OrganisationConfig>

/** Configuration for signed-in people (foundation §3 "Platform config"), including the public part. */
export const PlatformConfig = z.extend(
  z.object(shapeOf('FRONTEND_WITH_AUTH', 'PUBLIC') as Shape<Visible<ConfigVisibility>>),
  {
    ...OrganisationConfig.shape,
    /** True where the installation sends SMS and calls people. */
    offersSms: z.boolean(),
    /** True where documents of office programs are shown as PDF. */
    convertsOffice: z.boolean(),
  },
)
export type PlatformConfig = z.infer<typeof PlatformConfig>
