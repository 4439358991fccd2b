import * as z from 'zod/mini'

import { CONFIG_KEYS } from '#contract/config/catalogue.ts'
import { VALUE_JSON_MAX } from '#contract/config/rules.ts'
import { text, timestamp } from '#contract/kit/text.ts'

const value = z.union([z.boolean(), z.int(), z.string(), z.array(z.int()), z.array(z.string())])
/** Key of an item in the catalogue. */
export const DatabaseKey = z.enum(CONFIG_KEYS, 'There is no configuration item with this key.')

/** A configuration item with its values in one scope (administration §3). */
export const ConfigItem = z.object({
  databaseKey: z.string(),
  description: z.string(),
  groupTag: z.string(),
  type: z.enum(['BOOLEAN', 'INTEGER', 'STRING', 'ENUM', 'STRING_LIST', 'NUMBER_LIST']),
  visibility: z.enum(['BACKEND_ONLY', 'FRONTEND_WITH_AUTH', 'PUBLIC']),
  modifyAccess: z.enum(['DEVELOPMENT_TEAM_ONLY', 'ENVIRONMENT_ADMIN', 'ORGANIZATION_ADMIN']),
  /** True for secrets, whose values are always empty here. */
  isSecret: z.boolean(),
  /** True when the value in force is not an empty text. */
  hasValue: z.boolean(),
  /** The value in force. */
  currentValue: value,
  defaultValue: value,
  /** The value for organisations without their own; null for none. */
  globalOverriddenValue: z.nullable(value),
  isGlobalOverridden: z.boolean(),
  /** True when the organisation has its own value. */
  isEnterpriseCustom: z.boolean(),
  /** The last change in this scope; null where nobody changed it. */
  lastChange: z.nullable(z.object({ by: z.string(), timestamp })),
  /** Number of organisations with a value of their own; null in the scope of one. */
  differingCount: z.nullable(z.int()),
})
export type ConfigItem = z.infer<typeof ConfigItem>

/** A new value of an item (administration §3 "Save payload"). */
export const ConfigChange = z.object({
  databaseKey: DatabaseKey,
  /** Any value as JSON text. For an organisation, `null` removes its own value. */
  valueJson: text(VALUE_JSON_MAX),
})
export type ConfigChange = z.infer<typeof ConfigChange>
