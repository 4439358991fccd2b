import type { ContactRow } from '#contract/contacts/schema.ts'
import { QUESTION_SETS } from '#contract/notification-questions/rules.ts'
import type { NewNotificationTemplate } from '#contract/notification-templates/schema.ts'

const contact = (list: string, name: string, email: string, phone: string | null = null): ContactRow => ({
  name,
  email,
  phone,
  list,
  phoneExtension: null,
  secondPhone: null,
  secondPhoneExtension: null,
})

const HARBOUR = 'Harbour and authorities'
const SUPPLIERS = 'Suppliers'
const COMMUTERS = 'Season ticket holders'
const FUEL = ['Bluewater Fuels', 'dispatch@bluewater.example', '+1 902 555 0121'] as const

/**
 * Fourteen people outside the demonstration organisation, with fictional numbers whose last digits the simulator plays:
 * asked whether they are safe, two need help, and three are not reached.
 */
export const CONTACTS: readonly ContactRow[] = [
  contact(HARBOUR, 'Harbour Master’s Office', 'duty@harbour.example', '+1 902 555 0111'),
  contact(HARBOUR, 'Coast Guard Liaison', 'liaison@coastguard.example', '+1 902 555 0118'),
  contact(HARBOUR, 'Anneke de Vries', 'anneke.devries@portauthority.example', '+1 902 555 0113'),
  contact(HARBOUR, 'City Emergency Desk', 'desk@halifax.example', '+1 902 555 0110'),
  contact(HARBOUR, ...FUEL),
  contact(SUPPLIERS, ...FUEL),
  contact(SUPPLIERS, 'Marta Kowalczyk', 'marta@northgalley.example', '+1 902 555 0122'),
  contact(SUPPLIERS, 'Booking system hotline', 'hotline@ferrysoft.example', '+1 416 555 0123'),
  // Without a dial code, so that the number is stored as invalid.
  contact(SUPPLIERS, 'Owen Pike, towing', 'owen+bounces@piketowing.example', '555 0124'),
  contact(COMMUTERS, 'Beatriz Lopes', 'beatriz.lopes@post.example', '+1 902 555 0131'),
  contact(COMMUTERS, 'Gordon MacIsaac', 'gordon.macisaac@post.example', '+1 902 555 0132'),
  contact(COMMUTERS, 'Yuki Tanabe', 'yuki.tanabe@post.example', '+1 902 555 0133'),
  contact(COMMUTERS, 'Lucie Bélanger', 'lucie.belanger+bounces@post.example'),
  contact(COMMUTERS, 'Inês Duarte', 'ines.duarte@post.example', '+1 902 555 0136'),
  contact(COMMUTERS, 'Samir Aziz', 'samir.aziz+bounces@post.example', '+1 902 555 0135'),
]

const BERTH: NewNotificationTemplate = {
  title: 'Berth 2 is closed',
  level: 'NORMAL',
  smsMessage: 'Berth 2 is closed. Ships use berth 1. Expect delays of 20 minutes today.',
  emailMessage:
    'Berth 2 is closed until further notice. All sailings leave from berth 1.\n\n' +
    'Please expect delays of about 20 minutes. Deliveries by road: use gate A and call the terminal first.\n\n' +
    'Tidewater Ferries, Operations Centre',
  question: null,
}
/** Prepared notifications. */
export const TEMPLATES: readonly NewNotificationTemplate[] = [
  BERTH,
  {
    title: 'Sailings cancelled',
    level: 'CRITICAL',
    smsMessage: 'All sailings are cancelled. Do not come to the terminal. News by noon.',
    emailMessage:
      'All sailings are cancelled for now. Please do not come to the terminals.\n\n' +
      'Tickets stay valid and can be refunded. The next news comes at noon.\n\n' +
      'Tidewater Ferries, Operations Centre',
    question: null,
  },
  {
    title: 'Back to normal',
    level: 'LOW',
    smsMessage: 'All sailings are back on schedule. Thank you for your patience.',
    emailMessage: 'All sailings are back on schedule.\n\nThank you for your patience.',
    question: null,
  },
  {
    title: 'Are you safe?',
    level: 'CRITICAL',
    smsMessage: 'There was an incident at the terminal. Please tell us how you are.',
    emailMessage:
      'There was an incident at the terminal. Please tell us how you are.\n\n' +
      'If you need help at once, call 911 first.\n\n' +
      'Tidewater Ferries, Operations Centre',
    question: QUESTION_SETS[0].question,
  },
]

/** A notification that was sent: a template, to lists and a group. */
export const SENT = {
  daysAgo: 9,
  /** Minutes after midnight, UTC. */
  at: 11 * 60 + 5,
  words: BERTH,
  lists: [HARBOUR, COMMUTERS],
  group: 'Harbour and fleet',
} as const
