import AccountBalanceRounded from '@mui/icons-material/AccountBalanceRounded'
import ApartmentRounded from '@mui/icons-material/ApartmentRounded'
import BoltRounded from '@mui/icons-material/BoltRounded'
import CampaignRounded from '@mui/icons-material/CampaignRounded'
import DnsRounded from '@mui/icons-material/DnsRounded'
import FlightRounded from '@mui/icons-material/FlightRounded'
import GroupsRounded from '@mui/icons-material/GroupsRounded'
import HubRounded from '@mui/icons-material/HubRounded'
import Inventory2Rounded from '@mui/icons-material/Inventory2Rounded'
import LocalFireDepartmentRounded from '@mui/icons-material/LocalFireDepartmentRounded'
import LocalHospitalRounded from '@mui/icons-material/LocalHospitalRounded'
import NotificationImportantRounded from '@mui/icons-material/NotificationImportantRounded'
import ParkRounded from '@mui/icons-material/ParkRounded'
import PaymentsRounded from '@mui/icons-material/PaymentsRounded'
import PersonalInjuryRounded from '@mui/icons-material/PersonalInjuryRounded'
import PrecisionManufacturingRounded from '@mui/icons-material/PrecisionManufacturingRounded'
import SecurityRounded from '@mui/icons-material/SecurityRounded'
import StorageRounded from '@mui/icons-material/StorageRounded'
import ThunderstormRounded from '@mui/icons-material/ThunderstormRounded'
import WaterRounded from '@mui/icons-material/WaterRounded'
import type SvgIcon from '@mui/material/SvgIcon'

import type { KindIcon as Name } from '#contract/incident-kinds/schema.ts'

const ICONS: { readonly [N in Name]: typeof SvgIcon } = {
  ALERT: NotificationImportantRounded,
  FIRE: LocalFireDepartmentRounded,
  FLOOD: WaterRounded,
  STORM: ThunderstormRounded,
  POWER: BoltRounded,
  NETWORK: HubRounded,
  SERVER: DnsRounded,
  SECURITY: SecurityRounded,
  DATA: StorageRounded,
  HEALTH: LocalHospitalRounded,
  INJURY: PersonalInjuryRounded,
  BUILDING: ApartmentRounded,
  TRANSPORT: FlightRounded,
  SUPPLY: Inventory2Rounded,
  MACHINE: PrecisionManufacturingRounded,
  PEOPLE: GroupsRounded,
  LEGAL: AccountBalanceRounded,
  MEDIA: CampaignRounded,
  MONEY: PaymentsRounded,
  NATURE: ParkRounded,
}

/** The picture of a kind, beside its name. All of them load together, with the first one that is shown. */
export function KindIcon({ name }: { name: string }) {
  const Icon = ICONS[name as Name] ?? ICONS.ALERT
  return <Icon aria-hidden sx={{ fontSize: 20, color: 'text.secondary' }} />
}
