import type { UseCase } from '../use-case.ts';

export const healthClinics: UseCase = {
  db: 'health_clinics',
  overview: 'a directory of clinics and doctors, with the appointments that patients have',
  collections: [
    {
      name: 'Clinics',
      items: 'clinics',
      rows: 360,
      identifier: {
        name: 'clinicName',
        title: 'clinic name',
        parts: [
          'Northgate, Riverside, Hillcrest, Parkway, Lakeside, Oldtown',
          'Practice, Surgery, Medical Centre, Polyclinic, Health House, Walk-in',
        ],
      },
      text: {
        name: 'description',
        title: 'description',
        facets: `
          Treats sports injuries. / Injured athletes are treated first.
          A laboratory in the house. / Blood goes to laboratories nearby.
          Offers vaccinations without appointment. / Vaccinating travellers is its strength.
          Care for the elderly. / Elderly patients are cared for at home.
          Parking behind the building. / Park in the yard.
          Open through the night. / Nights and weekends too.
          Surgeons operate on knees and hips. / Knee surgery as an outpatient.
          Counselling for anxious patients. / Counsellors help with anxiety.
          Newborns and their mothers. / Mothers come with newborn children.
          X-ray and ultrasound. / Scans by ultrasound on the same day.
          A skin specialist visits weekly. / Skin specialists every Monday.
          Physiotherapy with a warm pool. / Swimming and physiotherapy.
          Staff sign for deaf patients. / Deaf visitors find staff who sign.
          Diabetes nurses teach diet. / A nurse for diabetics.`,
      },
      kind: { name: 'district', title: 'district', values: 'North 5, Centre 8, Harbour 4, South 3, West 5' },
      number: {
        name: 'averagePatientSatisfaction',
        title: 'average patient satisfaction',
        mean: 7.4,
        spread: 2.4,
        digits: 1,
      },
      boolean: { name: 'acceptingNewPatients', title: 'accepting new patients', share: 0.55 },
      second: { name: 'teachesStudents', title: 'student teaching', share: 0.12 },
    },
    {
      name: 'Doctors',
      items: 'doctors',
      rows: 440,
      identifier: {
        name: 'doctorName',
        title: 'doctor name',
        parts: ['Ines, Jonas, Kaya, Leif, Mira, Noor', 'Abadi, Berger, Chen, Duarte, Eklund, Farouk'],
      },
      text: {
        name: 'expertise',
        title: 'expertise',
        facets: `
          Heart rhythm and pacemakers. / Pacemaker fittings for weak hearts.
          Allergies in children. / A child's allergy is tested gently.
          Migraine and chronic headaches. / Treats headache and migraines.
          Minor surgery on hands. / Hand surgeon.
          Sleep disorders. / Helps people who cannot sleep; sleeping laboratory.
          Sports medicine and running injuries. / Runners with an injury.
          Asthma and other breathing troubles. / Breathes with asthmatics.
          Thyroid and hormones. / Hormonal diseases.
          Travel medicine and tropical fevers. / Fever after travelling.
          Depression and burnout. / Depressed and burnt-out patients.
          Pregnancy and birth. / Pregnant women and births.
          Back pain without operation. / Painful backs.
          Digestion and diet. / Dietary advice for digestive trouble.
          Wounds that do not heal. / Wound healing.`,
      },
      kind: {
        name: 'specialty',
        title: 'specialty',
        values: 'general 9, cardiology 3, paediatrics 4, orthopaedics 4, psychiatry 3',
      },
      number: { name: 'yearsOfExperience', title: 'years of experience', mean: 14, spread: 13, digits: 0 },
      boolean: { name: 'currentlyPracticing', title: 'currently practicing', share: 0.7 },
      second: { name: 'visitsHomes', title: 'home visits', share: 0.13 },
    },
    {
      name: 'Appointments',
      items: 'appointments',
      rows: 500,
      identifier: {
        name: 'patientName',
        title: 'patient name',
        parts: ['Olga, Pavel, Quinn, Rosa, Sami, Tilda', 'Grant, Haas, Ito, Jansen, Kovac, Lopes'],
      },
      text: {
        name: 'appointmentNotes',
        title: 'appointment notes',
        facets: `
          Follow-up after an operation. / Operated last month; follow-up.
          Brings x-rays along. / X-ray pictures were sent.
          Afraid of needles. / Needle fear; be gentle.
          Renewal of a prescription. / Prescriptions to be renewed.
          Blood pressure has risen. / Rising pressure, measured at home.
          Coughing for three weeks. / A dry cough.
          Needs an interpreter. / Interpreters for Portuguese.
          First visit to the practice. / Visits for the first time.
          Wants a second opinion. / Second opinions were asked for.
          Vaccination before a journey. / To be vaccinated.
          Knee is swollen. / Swelling of both knees.
          Results of a blood test. / Blood tests are back.
          Insurance form to be signed. / Two insurance forms.
          Tired and losing weight. / Weight loss and tiredness.`,
      },
      kind: { name: 'visitType', title: 'visit type', values: 'check-up 7, acute 6, video 3, procedure 2' },
      number: { name: 'appointmentDuration', title: 'appointment duration', mean: 25, spread: 20, digits: 0 },
      boolean: { name: 'appointmentConfirmed', title: 'appointment confirmed', share: 0.72 },
      second: { name: 'paidPrivately', title: 'private payment', share: 0.12 },
    },
  ],
};
