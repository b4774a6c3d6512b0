/** A question of the split, as a line of its questions.jsonl has it. */
interface EnterpriseQuestion {
  readonly db_id: 'trade' | 'machines';
  readonly question: string;
  readonly sql: string;
}

const trade = (question: string, sql: string): EnterpriseQuestion => ({ db_id: 'trade', question, sql });
const machines = (question: string, sql: string): EnterpriseQuestion => ({
  db_id: 'machines',
  question,
  sql,
});

/** What analysts ask such databases. */
export const QUESTIONS: readonly EnterpriseQuestion[] = [
  trade('How many orders were created in 2021?', 'SELECT COUNT(*) FROM AUFKO WHERE ERDAT / 10000 = 2021'),
  trade(
    'How many orders of each kind were created in March 2022?',
    'SELECT AUART, COUNT(*) FROM AUFKO WHERE ERDAT BETWEEN 20220301 AND 20220331 GROUP BY AUART',
  ),
  trade(
    'Which materials of the groups ROH and HALB are heavier than 60 kg?',
    "SELECT MATNR, BRGEW FROM MATST WHERE MTART IN ('ROH', 'HALB') AND BRGEW > 60",
  ),
  trade(
    'Which customers in DE or AT have a delivery block and a credit limit above 50000?',
    "SELECT KUNNR, NAME1 FROM KUNST WHERE LAND1 IN ('DE', 'AT') AND AUFSD IS NOT NULL AND KLIMK > 50000",
  ),
  trade(
    'What is the revenue of each country in EUR?',
    "SELECT k.LAND1, ROUND(SUM(o.NETWR), 2) FROM AUFKO o JOIN KUNST k ON k.KUNNR = o.KUNNR WHERE o.WAERK = 'EUR' GROUP BY k.LAND1",
  ),
  trade(
    'Which ten materials were sold most often?',
    'SELECT p.MATNR, COUNT(*) AS n FROM AUFPO p GROUP BY p.MATNR ORDER BY n DESC, p.MATNR LIMIT 10',
  ),
  trade(
    'What is the weight of the sold material of group FERT by material class?',
    "SELECT m.MATKL, SUM(p.KWMENG * m.BRGEW) FROM AUFPO p JOIN MATST m ON m.MATNR = p.MATNR WHERE m.MTART = 'FERT' GROUP BY m.MATKL",
  ),
  trade(
    'Which materials are valid since 2020 and longer than 3000 mm?',
    'SELECT MATNR, "LÄNGE_MM" FROM MATST WHERE "GÜLTIG_AB" >= 20200101 AND "LÄNGE_MM" > 3000',
  ),
  trade('How many materials have flag 4 set?', 'SELECT COUNT(*) FROM MATST WHERE BITFL & 4'),
  trade(
    'How many materials have the flags 2 and 8 set but not 1?',
    'SELECT COUNT(*) FROM MATST WHERE BITFL & 10 = 10 AND BITFL & 1 = 0',
  ),
  trade(
    'How many positions are there for each state of the two lowest bits?',
    'SELECT STATB & 3 AS state, COUNT(*) FROM AUFPO GROUP BY STATB & 3 ORDER BY state',
  ),
  trade(
    'Which customers never ordered?',
    'SELECT KUNNR FROM KUNST WHERE KUNNR NOT IN (SELECT KUNNR FROM AUFKO WHERE KUNNR IS NOT NULL)',
  ),
  trade(
    'What is the median net price of positions that were not rejected?',
    'SELECT MEDIAN(NETPR) FROM AUFPO WHERE ABGRU IS NULL',
  ),
  trade(
    'Which orders contain material M-000005 and M-000007?',
    "SELECT VBELN FROM AUFPO WHERE MATNR = 'M-000005' INTERSECT SELECT VBELN FROM AUFPO WHERE MATNR = 'M-000007'",
  ),
  trade(
    'How many materials have the filler flag ZMAF001 set, by unit?',
    "SELECT MEINS, COUNT(*) FROM MATST WHERE ZMAF001 = 'X' GROUP BY MEINS",
  ),
  trade(
    'What is the average number of positions per order?',
    'SELECT AVG(n) FROM (SELECT COUNT(*) AS n FROM AUFPO GROUP BY VBELN)',
  ),
  trade(
    'How many orders came from the towns Town 3, Town 7 and Town 11?',
    "SELECT COUNT(*) FROM AUFKO o JOIN KUNST k ON k.KUNNR = o.KUNNR WHERE k.ORT01 IN ('Town 3', 'Town 7', 'Town 11')",
  ),
  trade(
    'What is the share of rejected positions per order kind in percent?',
    'SELECT o.AUART, 100.0 * SUM(p.ABGRU IS NOT NULL) / COUNT(*) FROM AUFPO p JOIN AUFKO o ON o.VBELN = p.VBELN GROUP BY o.AUART',
  ),
  trade(
    'In which month of 2023 was the highest order value?',
    'SELECT ERDAT / 100 % 100 AS month FROM AUFKO WHERE ERDAT / 10000 = 2023 ORDER BY NETWR DESC LIMIT 1',
  ),
  trade(
    'Which customers of Switzerland ordered in both CHF and EUR?',
    "SELECT k.KUNNR FROM KUNST k WHERE k.LAND1 = 'CH' AND EXISTS (SELECT 1 FROM AUFKO o WHERE o.KUNNR = k.KUNNR AND o.WAERK = 'CHF') AND EXISTS (SELECT 1 FROM AUFKO o WHERE o.KUNNR = k.KUNNR AND o.WAERK = 'EUR')",
  ),
  machines(
    'How many readings were hotter than 45 degrees?',
    "SELECT COUNT(*) FROM reading WHERE json_extract(payload, '$.t') > 45",
  ),
  machines(
    'What is the average humidity per model?',
    "SELECT d.model, AVG(json_extract(r.payload, '$.h')) FROM reading r JOIN device d ON d.serial = r.serial GROUP BY d.model",
  ),
  machines(
    'Which devices run on a lower limit below 0?',
    "SELECT serial FROM device WHERE config ->> '$.limits.low' < 0",
  ),
  machines(
    'How many readings ran on mains, and how many did not?',
    "SELECT json_extract(payload, '$.power.mains') AS mains, COUNT(*) FROM reading GROUP BY mains",
  ),
  machines(
    'How many devices have no owner?',
    "SELECT COUNT(*) FROM device WHERE json_extract(config, '$.owner') IS NULL",
  ),
  machines(
    'Which team owns how many devices?',
    "SELECT config ->> '$.owner.team' AS team, COUNT(*) FROM device WHERE config ->> '$.owner.team' IS NOT NULL GROUP BY team",
  ),
  machines(
    'How many tags do the devices of site Inn have?',
    "SELECT serial, json_array_length(config, '$.tags') FROM device WHERE site = 'Inn'",
  ),
  machines(
    'Which devices measure every 10 or 30 seconds?',
    "SELECT serial, site FROM device WHERE json_extract(config, '$.interval') IN (10, 30)",
  ),
  machines(
    'How many readings have the fault bit 16 set, per site?',
    'SELECT d.site, COUNT(*) FROM reading r JOIN device d ON d.serial = r.serial WHERE r.state & 16 <> 0 GROUP BY d.site',
  ),
  machines(
    'How many readings have neither bit 1 nor bit 64 set?',
    'SELECT COUNT(*) FROM reading WHERE state & 65 = 0',
  ),
  machines(
    'How often does each value of the upper four bits of the state occur?',
    'SELECT state >> 4 AS high, COUNT(*) FROM reading GROUP BY high ORDER BY high',
  ),
  machines(
    'How many readings were taken on 2024-01-02?',
    "SELECT COUNT(*) FROM reading WHERE date(ts_ms / 1000, 'unixepoch') = '2024-01-02'",
  ),
  machines(
    'What was the highest temperature of each day?',
    "SELECT date(ts_ms / 1000, 'unixepoch') AS day, MAX(json_extract(payload, '$.t')) FROM reading GROUP BY day ORDER BY day",
  ),
  machines(
    'Which alarms of severity 4 were never cleared?',
    'SELECT id, code FROM alarm WHERE severity = 4 AND cleared IS NULL',
  ),
  machines(
    'How long were alarms open on average, in hours?',
    'SELECT AVG((julianday(cleared) - julianday(raised)) * 24) FROM alarm WHERE cleared IS NOT NULL',
  ),
  machines(
    'Which devices have feature 2 and had a LOST alarm in 2024?',
    "SELECT DISTINCT d.serial FROM device d JOIN alarm a ON a.serial = d.serial WHERE d.features & 2 AND a.code = 'LOST' AND strftime('%Y', a.raised) = '2024'",
  ),
  machines(
    'How many devices hang below each parent?',
    'SELECT parent, COUNT(*) FROM device WHERE parent IS NOT NULL GROUP BY parent HAVING COUNT(*) > 1',
  ),
  machines(
    'What is the weakest battery voltage per site?',
    "SELECT d.site, MIN(r.payload ->> '$.power.volt') FROM reading r JOIN device d ON d.serial = r.serial GROUP BY d.site ORDER BY d.site",
  ),
  machines(
    'Which readings lack a temperature?',
    "SELECT id FROM reading WHERE json_type(payload, '$.t') = 'null' ORDER BY id LIMIT 20",
  ),
  machines(
    'Which devices were installed within 30 days before their first alarm?',
    "SELECT d.serial FROM device d WHERE (SELECT MIN(a.raised) FROM alarm a WHERE a.serial = d.serial) BETWEEN d.installed AND date(d.installed, '+30 days')",
  ),
  machines(
    'How many readings are above the upper limit of their device?',
    "SELECT COUNT(*) FROM reading r JOIN device d ON d.serial = r.serial WHERE json_extract(r.payload, '$.t') > json_extract(d.config, '$.limits.high')",
  ),
  machines(
    'Which readings were hot and had bit 1 set, the latest first?',
    "SELECT id, json_extract(payload, '$.t') FROM reading WHERE state & 1 AND json_extract(payload, '$.t') > 48 ORDER BY ts_ms DESC LIMIT 15",
  ),
];
