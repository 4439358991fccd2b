import type { StarterPlaybook } from '#contract/playbooks/schema.ts'

import { BUSINESS_EMAIL_COMPROMISE } from './business-email-compromise.content.ts'
import { DATA_BREACH } from './data-breach.content.ts'
import { LOST_DEVICE } from './lost-device.content.ts'
import { RANSOMWARE } from './ransomware.content.ts'
import { SITE_EVACUATION } from './site-evacuation.content.ts'
import { SUPPLIER_OUTAGE } from './supplier-outage.content.ts'

/** Starter playbooks in display order. */
export const STARTERS: StarterPlaybook[] = [
  RANSOMWARE,
  DATA_BREACH,
  BUSINESS_EMAIL_COMPROMISE,
  LOST_DEVICE,
  SITE_EVACUATION,
  SUPPLIER_OUTAGE,
]
