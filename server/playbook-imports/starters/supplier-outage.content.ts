import type { StarterPlaybook } from '#contract/playbooks/schema.ts'

import { first, later, next, phase } from './starter.content.ts'

const LEAD = 'Incident lead'
const OWNER = 'Owner of the service'
const PURCHASING = 'Purchasing lead'
const IT = 'Head of IT'
const OPERATIONS = 'Head of operations'
const COMMS = 'Communications lead'
const LEGAL = 'Legal counsel'
const FINANCE = 'Finance lead'

export const SUPPLIER_OUTAGE: StarterPlaybook = {
  id: 'supplier-outage',
  name: 'Supplier outage',
  purpose: 'A supplier on whom we depend does not deliver: cloud, network, payments, parts, transport, staff.',
  description:
    'Something that others provide for us has stopped, and we cannot repair it ourselves. So we do the three things that are in our hands: know whom it hits and how long we can bear it, keep the most important work going in another way, and tell people honestly where we stand. Do not wait for the supplier’s next promise: decide at which time we switch to plan B, and do it then. If the supplier was attacked, cut the connection first and ask afterwards.',
  activities: [
    phase('First 30 minutes: is it them, and what does it hit?'),
    first('Make sure that it is the supplier', 'Check from a second place, network and account. Look at the supplier’s status page and at what others say. Record what works, what does not, since when.', { role: IT, minutes: 10 }),
    first('Report it to the supplier, with a number', 'Use the contract’s emergency contact, not the general form. Say how urgent it is for us. Note ticket number, name, time, and when they will call back.', { role: OWNER, minutes: 10 }),
    first('Ask whether they were attacked', 'Ask directly: is it a security incident? If yes or “we cannot say”, treat it as one and go on with the next step at once.', { role: OWNER, minutes: 5 }),
    first('Cut the connection if they were attacked', 'Disable their accounts, interfaces, VPN and remote maintenance. Change keys that they have from us. Save logs of their access. Opening again needs a decision of the incident lead.', { role: 'IT security', minutes: 20 }),
    first('List what stops without them', 'Services, sites, customers, shifts; dangers to people first. For each: when does it begin to hurt, in hours? A rough list now is better than a good one tonight.', { role: OPERATIONS, minutes: 20 }),
    phase('First hour: lead and decide'),
    first('Name the incident lead and one voice to the supplier', 'One person leads, one talks with the supplier, one keeps the log. Ten callers get ten answers.', { role: 'Duty manager', minutes: 5 }),
    first('Set the time at which we switch to plan B', 'Take the shortest time from the list and subtract what switching takes. Write it down as a time on the clock. When it comes, switch, whatever has been promised by then.', { role: LEAD, minutes: 15 }),
    first('Protect people and safety first', 'Medical devices, alarms, access control, food, heating, drivers on the road. Put people where technology is missing, such as a guard at a door.', { role: OPERATIONS, minutes: 20 }),
    first('Tell our own people', 'What is down, what to do meanwhile, what not to try, when the next message comes. Ask them to collect what has to be entered later.', { role: COMMS, minutes: 15 }),
    next('Open a room with everybody who is affected', 'One room, one list of facts, updates on the hour. Invite the supplier’s contact if that helps.', { role: LEAD, minutes: 10 }),
    phase('First four hours: keep going without them'),
    first('Start the manual way of working', 'Paper forms, phone, cash, spreadsheet, stock on hand. Name a person for each. Number the forms so that none is lost.', { role: OPERATIONS, minutes: 60 }),
    first('Ration what is scarce', 'Stock, licenses, drivers, hours of people. Decide who gets it first: safety, then obligations, then income. Record the rule, so that nobody has to argue.', { role: OPERATIONS, minutes: 45 }),
    next('Call the alternatives', 'Second supplier, competitor, rental, neighbor, own old system. Ask: how much, from when, at what price, until when must we decide? Order options before others do.', { role: PURCHASING, minutes: 90 }),
    next('Switch what can be switched', 'Second network, other region, other bank, other carrier. One change at a time, by two people, with the way back written down.', { role: IT, minutes: 120 }),
    next('Inform customers who will notice', 'Before they do. What is affected, what they can do, when we write again. No blame on the supplier: they have their contract with us.', { role: COMMS, minutes: 45 }),
    next('Check the deadlines that we may miss', 'Deliveries, payments, wages, reports to authorities, service levels. Ask for extensions today. Some sectors must report outages within hours: ask counsel.', { role: LEGAL, minutes: 60 }),
    phase('First day and beyond: hold out'),
    first('Get a plan from the supplier, not hope', 'Every four hours: what is broken, what is being done, what comes next, by when, what if not. Escalate to their management if answers stay vague. Write down each promise.', { role: OWNER, minutes: 30 }),
    next('Plan shifts for people who stand in', 'Manual work needs more hands and tires quickly. Plan breaks, food, overtime and who takes over at night.', { role: OPERATIONS, minutes: 45 }),
    next('Watch the money', 'Extra costs, lost income, payments due to and from the supplier. Keep proof of everything: it decides about damages and insurance.', { role: FINANCE, minutes: 60 }),
    next('Claim our rights in time', 'Contract, service levels, deadlines for complaints, insurance against interruption. Send the formal notice; stay friendly on the phone.', { role: LEGAL, minutes: 90 }),
    next('Prepare for the worst case', 'What if they never come back: our data and its export, tools and stock at their site, keys, source code in escrow, notice periods, a new supplier in how many weeks?', { role: PURCHASING, minutes: 120 }),
    phase('Back to normal'),
    first('Test before we trust it', 'Their “it works again” is the beginning of our test. A few transactions from end to end, with people who know the business. After an attack: proof of what was cleaned, in writing, before the connection opens.', { role: OWNER, minutes: 60 }),
    next('Return step by step', 'The less important first. Keep the manual way ready for a day. Announce when it ends.', { role: OPERATIONS, minutes: 120 }),
    next('Enter what was collected, and compare', 'All numbered forms are there? Totals agree? Doubles and gaps are found today or never.', { role: OPERATIONS, minutes: 240 }),
    next('Tell everybody that it is over', 'Staff, customers, partners, authorities. What happened, what was lost, what we changed. Thank those who stood in.', { role: COMMS, minutes: 30 }),
    phase('Afterwards'),
    later('Ask the supplier for cause and measures', 'In writing, with dates. Check half a year later whether they were carried out.', { role: PURCHASING, minutes: 60 }),
    later('Look back together within two weeks', 'When did plan B begin, and was that the right moment? Which dependency surprised us? Record who changes what, until when.', { role: LEAD, minutes: 90 }),
    later('Decide whether to depend less', 'Second source, more stock, own capability, a shorter contract, or the decision to bear the risk, in writing. Update the contact list of emergency numbers.', { role: PURCHASING, minutes: 60 }),
  ],
} // prettier-ignore
