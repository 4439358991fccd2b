import type { StarterPlaybook } from '#contract/playbooks/schema.ts'

import { first, later, next, phase } from './starter.content.ts'

const LEAD = 'Incident lead'
const FINANCE = 'Finance lead'
const SECURITY = 'IT security'
const LEGAL = 'Legal counsel'
const COMMS = 'Communications lead'
const VICTIM = 'Owner of the mailbox'

export const BUSINESS_EMAIL_COMPROMISE: StarterPlaybook = {
  id: 'business-email-compromise',
  name: 'Business email compromise',
  purpose: 'A mailbox was taken over, or somebody was tricked into sending money or data by email.',
  description:
    'Somebody writes in the name of one of us, of management or of a supplier, and wants money, new bank details or data. If money has gone out, the first hours decide whether it can be stopped: call the bank first, look for the cause afterwards. Use phone numbers that you know, never those from the message. Do not answer the message, do not delete it, and do not warn the fraudsters. Nobody who reports this is blamed.',
  activities: [
    phase('First 30 minutes: stop the money'),
    first('Call our bank and recall the payment', 'Use the emergency number of the bank. Say “fraud, recall, please contact the receiving bank now”. Have ready: amount, date, account, reference. Note the name, time and case number.', { role: FINANCE, minutes: 15 }),
    first('Stop all payments that are waiting', 'No payment leaves today without a call to a known number. Look at those of the last 14 days to this account and to accounts that were changed recently.', { role: FINANCE, minutes: 15 }),
    first('Ask for the freezing of the money at the receiving bank', 'Send the written recall that our bank wants, and ask the police for urgent help with other countries. Every hour counts; after three days little comes back.', { role: FINANCE, minutes: 30 }),
    first('Keep the messages as they are', 'Save them as files with all headers, not as forwarded copies. Note when calls came in and from which number. Attach them to the incident.', { role: VICTIM, minutes: 10 }),
    phase('First hour: take the mailbox back'),
    first('Lock the account and end its sessions', 'Block sign-in, end all sessions and remove unknown devices. A new password alone is not enough: whoever is inside stays inside.', { role: SECURITY, minutes: 10 }),
    first('Remove rules, forwarding and connected apps', 'Look for rules that move or delete messages, forwarding to outside, delegates, app permissions, unknown second factors. Take a screenshot before you remove each.', { role: SECURITY, minutes: 20 }),
    first('Set a new password and a second factor, in person', 'On a clean device, together with the owner, who is recognized by face or voice. Ask where else this password was used and change it there.', { role: SECURITY, minutes: 20 }),
    first('Search other mailboxes for this message', 'Search by sender, subject, link and attachment. Take it out of all mailboxes, and list who opened it or answered it. Each of these accounts goes through the steps above.', { role: SECURITY, minutes: 45 }),
    next('Talk with the person it happened to', 'Calmly, in private. What came, what was clicked, typed, sent, promised? They are a witness and not a suspect. Write it down while it is fresh.', { role: LEAD, minutes: 20 }),
    phase('First four hours: lead and inform'),
    first('Name the incident lead and who keeps the log', 'One decides, one writes. Use the rooms here and phones: the mailbox may still be read by others.', { role: 'Duty manager', minutes: 5 }),
    first('Report it to the police', 'With bank details of the recipient, messages with headers and the bank’s case number. Ask for the written confirmation that bank and insurer want.', { role: LEGAL, minutes: 60 }),
    first('Call the insurer', 'Ask for both covers, cyber and crime: they have different conditions. Note deadlines and the claim number.', { role: LEGAL, minutes: 20 }),
    next('Warn the person or company that was imitated', 'Call the supplier or customer on a known number: their mailbox may be the one that was taken over. Agree on who checks what.', { role: FINANCE, minutes: 20 }),
    next('Warn our own people', 'Short and with a picture of the message. How to recognize it, whom to call, that nobody is blamed. Finance, assistants and management first.', { role: COMMS, minutes: 30 }),
    next('Warn contacts who got messages from us', 'List what was sent from the mailbox. Tell recipients by phone or from another address to ignore new bank details and links.', { role: COMMS, minutes: 60 }),
    phase('First day: know how far it went'),
    first('Find out since when they were inside', 'Sign-in logs: unusual countries, times, devices, old mail protocols. Fraudsters often read for weeks. Write down the first moment, and what the logs do not show.', { role: SECURITY, minutes: 120 }),
    first('Find out what they read and took', 'Synchronized mailboxes, searches, downloads, shared files that the account could reach. If personal data was among it, start the playbook for data breaches: deadlines may run (for example GDPR: 72 hours).', { role: SECURITY, minutes: 120 }),
    next('Check all changes of bank details of the last three months', 'Suppliers, employees, our own details at customers. Confirm each by a call to a known number. Record who confirmed it.', { role: FINANCE, minutes: 180 }),
    next('Look for addresses that resemble ours', 'Have domains with swapped letters taken down by their registrar, and block them in the mail system.', { role: SECURITY, minutes: 60 }),
    next('Decide who has to be told', 'Authorities, contract partners, auditors, bank supervisors. Counsel writes down what was decided and why.', { role: LEGAL, minutes: 45 }),
    phase('Recover'),
    next('Stay in touch with the bank every day', 'Ask for the state of the recall in writing. Sign nothing about liability without counsel.', { role: FINANCE, minutes: 15 }),
    next('Bring accounts back under watch', 'Alerts for new rules, forwarding and sign-ins from new places for 30 days. Tell the owner what they may notice.', { role: SECURITY, minutes: 30 }),
    next('Book the loss and agree on invoices that are still open', 'The real supplier still waits for the money. Agree on how it is paid, before reminders strain the relation.', { role: FINANCE, minutes: 60 }),
    phase('Make it harder next time'),
    next('Require a call for new bank details', 'To a number from our own records, by two people, before the first payment. No exceptions for urgency or for rank: these are the two levers of this fraud.', { role: FINANCE, minutes: 60 }),
    next('Close old ways into mail', 'Second factor for all, old protocols off, no forwarding to outside, sender checks (SPF, DKIM, DMARC) set to reject.', { role: SECURITY, minutes: 240 }),
    later('Look back together within two weeks', 'Which sign was there, who had doubts and did not dare to ask? Thank those who reported it. Record who changes what, until when.', { role: LEAD, minutes: 60 }),
    later('Practice one such message with finance', 'A short exercise with a realistic message, and talk about it afterwards. Not a trap: a rehearsal.', { role: SECURITY, minutes: 60 }),
  ],
} // prettier-ignore
