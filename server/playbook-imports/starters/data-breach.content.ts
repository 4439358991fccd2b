import type { StarterPlaybook } from '#contract/playbooks/schema.ts'

import { first, later, next, phase } from './starter.content.ts'

const LEAD = 'Incident lead'
const PRIVACY = 'Data protection officer'
const SECURITY = 'IT security'
const LEGAL = 'Legal counsel'
const COMMS = 'Communications lead'
const OWNER = 'Owner of the data'
const SUPPORT = 'Customer service lead'

export const DATA_BREACH: StarterPlaybook = {
  id: 'data-breach',
  name: 'Data breach',
  purpose: 'Personal or confidential data was lost, stolen, published or sent to the wrong people.',
  description:
    'Data that belongs to people or partners may be in the wrong hands. It does not matter yet whose fault it is. What matters: close the leak, know which data of whom it is, and protect those people. Deadlines begin to run when we become aware of it, not when we know everything (for example GDPR: 72 hours to the authority). So write down now at what time we learned of it, and from whom. Delete nothing.',
  activities: [
    phase('First 30 minutes: close the leak'),
    first('Write down when and how we learned of it', 'Date, time, who reported it, in which words. Keep the message or take a screenshot. From this moment deadlines may run.', { role: LEAD, minutes: 5 }),
    first('Stop further loss', 'Take the page offline, close the share, lock the account, revoke the key. Choose what can be undone, and change nothing else. Record what was done and at what time.', { role: SECURITY, minutes: 20 }),
    first('Keep evidence before it disappears', 'Save access logs, the settings as they were, copies of published pages with their addresses. Logs are often overwritten within days. Do not tidy up yet.', { role: SECURITY, minutes: 30 }),
    first('Ask a wrong recipient to delete it', 'If data went to the wrong person: call, then ask in writing for deletion and a confirmation that nothing was copied or passed on. Attach the answer.', { role: OWNER, minutes: 20 }),
    phase('First two hours: bring the right people together'),
    first('Name the incident lead and someone who keeps the log', 'The lead decides; the log has times, facts, decisions and reasons. Authorities will ask for it.', { role: 'Duty manager', minutes: 5 }),
    first('Inform the data protection officer and counsel', 'By phone, at any hour. Tell what is known and what is not. From here on, counsel looks at every text that leaves the house.', { role: LEAD, minutes: 15 }),
    first('Limit who knows the details', 'Use a closed room for the incident. No lists of affected people by email. Everybody who joins hears that nothing is passed on.', { role: LEAD, minutes: 10 }),
    next('Inform management', 'Three sentences: what, since when, what we do next. Say when the next report comes, and keep to it.', { role: LEAD, minutes: 15 }),
    next('Call the insurer', 'Ask what is covered (lawyers, letters, call center, forensics), and what must be agreed with them first. Note the claim number.', { role: LEGAL, minutes: 20 }),
    phase('First day: know what was lost'),
    first('List the kinds of data', 'Names, addresses, bank details, health, passwords, identity papers, children’s data, trade secrets. Mark which of it was encrypted, and whether the key is safe.', { role: OWNER, minutes: 60 }),
    first('Count the people, and where they live', 'How many, of which groups, in which countries. An estimate with a lower and an upper number is better than none. Note how it was made.', { role: OWNER, minutes: 90 }),
    first('Find out who had access, and for how long', 'From the first possible moment to the closing of the leak. Look at logs for downloads and unusual queries. Say what the logs cannot show.', { role: SECURITY, minutes: 180 }),
    next('Look for the data outside', 'Search for it on the web and, with specialists, on marketplaces. Nobody buys anything and nobody contacts the seller.', { role: SECURITY, minutes: 120 }),
    next('Assess the risk for people', 'What can somebody do with it: fraud, blackmail, discrimination, danger to life? How likely, how bad? Write the assessment down, also if the risk is low: it is the reason for what follows.', { role: PRIVACY, minutes: 90 }),
    phase('Notify within the deadlines'),
    first('Decide which notifications apply', 'Authorities (for example GDPR: 72 hours), other countries, sector rules, contracts with customers whose data we process. For each: who, until when, by which form. Have counsel decide in writing, also where nothing is notified.', { role: LEGAL, minutes: 60 }),
    first('Send the first notice to the authority in time', 'Nature of the breach, kinds and numbers, likely consequences, measures, contact. If not all is known, send what is and announce the rest. Store the confirmation of receipt.', { role: PRIVACY, minutes: 90 }),
    first('Inform customers whose data we process for them', 'They have deadlines of their own, which begin with our notice. Follow the contract: contact, form, content.', { role: LEGAL, minutes: 60 }),
    next('Inform partners and processors who must act', 'Banks for payment data, identity services for passwords, the supplier whose system it was. Ask them for their logs.', { role: SECURITY, minutes: 45 }),
    next('Report a crime to the police', 'If somebody broke in, stole or blackmails. Agree with them on what should not be published yet. Note the file number.', { role: LEGAL, minutes: 45 }),
    phase('Help the people whose data it is'),
    first('Write the letter to affected people', 'Plain words: what happened, which data, what may follow, what we do, what they can do now, whom they can ask. No excuses, no advertising. Have three people read it who were not involved.', { role: COMMS, minutes: 120 }),
    first('Give them something that protects', 'Reset passwords, block cards, watch accounts, issue new numbers. What we can do for them, they should not have to do.', { role: SUPPORT, minutes: 120 }),
    next('Prepare the people who answer the phone', 'Ten questions with answers, what may not be said, who takes difficult calls. Plan for many calls in the first two days and for angry or frightened people.', { role: SUPPORT, minutes: 90 }),
    next('Prepare an answer for the press', 'A short statement and one spokesperson. Publish it when letters go out, not before. Correct what turns out to be wrong.', { role: COMMS, minutes: 60 }),
    next('Inform our own staff', 'Before they read it elsewhere. If it is their data, they get the letter and somebody to talk to.', { role: COMMS, minutes: 45 }),
    phase('Repair and learn'),
    next('Remove the cause', 'Say in one sentence why it was possible. Repair it, and look for other places with this weakness.', { role: SECURITY, minutes: 240 }),
    next('Complete the notices', 'Send what was announced: final numbers, cause, measures. Answer questions of the authority within its deadline.', { role: PRIVACY, minutes: 90 }),
    later('Enter it in the register of breaches', 'Facts, effects, measures, reasons for each notice that was sent or not sent. Every breach belongs there, small ones too.', { role: PRIVACY, minutes: 30 }),
    later('Look back together within two weeks', 'What did we learn too late, what did we not know about our data, which data could we simply not have? Record who changes what, until when.', { role: LEAD, minutes: 90 }),
  ],
} // prettier-ignore
