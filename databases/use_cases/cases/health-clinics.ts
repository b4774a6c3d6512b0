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
          Treats sports injuries. / Injured athletes are treated first. = athletics, fractures
          A laboratory in the house. / Blood goes to laboratories nearby. = analysis, samples
          Offers vaccinations without appointment. / Vaccinating travellers is its strength. = immunisation, jabs
          Care for the elderly. / Elderly patients are cared for at home. = seniors, geriatric
          Parking behind the building. / Park in the yard. = cars, garage
          Open through the night. / Nights and weekends too. = emergency, evening
          Surgeons operate on knees and hips. / Knee surgery as an outpatient. = orthopaedic, joints
          Counselling for anxious patients. / Counsellors help with anxiety. = psychology, worries
          Newborns and their mothers. / Mothers come with newborn children. = babies, maternity
          X-ray and ultrasound. / Scans by ultrasound on the same day. = imaging, radiology
          A skin specialist visits weekly. / Skin specialists every Monday. = dermatology, rashes
          Physiotherapy with a warm pool. / Swimming and physiotherapy. = rehabilitation, exercise
          Staff sign for deaf patients. / Deaf visitors find staff who sign. = hearing, interpreters
          Diabetes nurses teach diet. / A nurse for diabetics. = sugar, insulin`,
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
          Heart rhythm and pacemakers. / Pacemaker fittings for weak hearts. = cardiac, pulse
          Allergies in children. / A child's allergy is tested gently. = hayfever, pollen
          Migraine and chronic headaches. / Treats headache and migraines. = neurology, neurologist
          Minor surgery on hands. / Hand surgeon. = fingers, wrist
          Sleep disorders. / Helps people who cannot sleep; sleeping laboratory. = insomnia, snoring
          Sports medicine and running injuries. / Runners with an injury. = athletes, sprains
          Asthma and other breathing troubles. / Breathes with asthmatics. = lungs, respiratory
          Thyroid and hormones. / Hormonal diseases. = endocrinology, glands
          Travel medicine and tropical fevers. / Fever after travelling. = malaria, tourists
          Depression and burnout. / Depressed and burnt-out patients. = melancholy, mood
          Pregnancy and birth. / Pregnant women and births. = maternity, obstetrics
          Back pain without operation. / Painful backs. = spine, lumbar
          Digestion and diet. / Dietary advice for digestive trouble. = stomach, nutrition
          Wounds that do not heal. / Wound healing. = ulcers, dressings`,
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
          Follow-up after an operation. / Operated last month; follow-up. = aftercare, surgery
          Brings x-rays along. / X-ray pictures were sent. = radiology, images
          Afraid of needles. / Needle fear; be gentle. = injections, phobia
          Renewal of a prescription. / Prescriptions to be renewed. = medication, refill
          Blood pressure has risen. / Rising pressure, measured at home. = hypertension, circulation
          Coughing for three weeks. / A dry cough. = bronchitis, throat
          Needs an interpreter. / Interpreters for Portuguese. = translation, language
          First visit to the practice. / Visits for the first time. = newcomer, registration
          Wants a second opinion. / Second opinions were asked for. = reassessment, doubt
          Vaccination before a journey. / To be vaccinated. = immunisation, abroad
          Knee is swollen. / Swelling of both knees. = joint, inflammation
          Results of a blood test. / Blood tests are back. = laboratory, haematology
          Insurance form to be signed. / Two insurance forms. = paperwork, reimbursement
          Tired and losing weight. / Weight loss and tiredness. = fatigue, exhaustion`,
      },
      kind: { name: 'visitType', title: 'visit type', values: 'check-up 7, acute 6, video 3, procedure 2' },
      number: { name: 'appointmentDuration', title: 'appointment duration', mean: 25, spread: 20, digits: 0 },
      boolean: { name: 'appointmentConfirmed', title: 'appointment confirmed', share: 0.72 },
      second: { name: 'paidPrivately', title: 'private payment', share: 0.12 },
    },
  ],
};
