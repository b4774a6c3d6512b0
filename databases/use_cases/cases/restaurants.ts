import type { UseCase } from '../use-case.ts';

export const restaurants: UseCase = {
  db: 'restaurants',
  overview: 'a city guide where people look for places to eat, for dishes, and for their bookings',
  collections: [
    {
      name: 'Restaurants',
      items: 'restaurants',
      rows: 420,
      identifier: {
        name: 'name',
        title: 'restaurant name',
        parts: ['Golden, Little, Old, Blue, Silver, Green', 'Lantern, Anchor, Garden, Oven, Harbour, Spoon'],
      },
      text: {
        name: 'description',
        title: 'description',
        facets: `
          Candles on every table make it romantic. / Couples come for romance by candlelight. = lovers, intimate
          Families with children are welcome. / A family place with a corner for playing. = kids, parents
          The terrace looks over the river. / Guests sit on terraces by the water. = riverside, outdoors
          Musicians play jazz on weekends. / Live music, jazz mostly, on Fridays. = concerts, band
          The menu changes with the seasons. / Seasonal cooking from nearby farms. = regional, local
          Known for grilled fish. / Fish from the grill is what regulars order. = seafood, trout
          Vegan dishes fill half the menu. / A kitchen for vegans and vegetarians. = meatless, plants
          The wine cellar holds rare bottles. / Wines from small growers by the glass. = vineyards, sommelier
          Bread is baked here each morning. / The bakery next door belongs to it. = loaves, pastry
          Quiet enough for a business lunch. / Lunches are short and quiet. = meetings, peaceful
          Loud, crowded and cheerful. / Crowds gather here late at night. = lively, noisy
          The chef cooks in an open kitchen. / Chefs work in full view of the guests. = spectacle, onlookers
          Desserts win prizes. / A prize for its chocolate dessert. = sweets, pudding
          Dogs may come along. / Walkers bring their dog and muddy boots. = pets, animals`,
      },
      kind: {
        name: 'cuisine',
        title: 'cuisine',
        values: 'Italian 8, Japanese 5, Mexican 4, Indian 5, French 6, Lebanese 2',
      },
      number: { name: 'averageRating', title: 'average rating', mean: 3.9, spread: 1.1, digits: 1 },
      boolean: { name: 'openNow', title: 'open now', share: 0.58 },
      second: { name: 'deliversHome', title: 'home delivery', share: 0.12 },
    },
    {
      name: 'Menus',
      items: 'menu items',
      rows: 480,
      identifier: {
        name: 'menuItem',
        title: 'menu item',
        parts: [
          'Roasted, Smoked, Stuffed, Spiced, Creamy, Crisp',
          'Aubergine, Salmon, Pumpkin, Chicken, Mushrooms, Potatoes',
        ],
      },
      text: {
        name: 'itemDescription',
        title: 'item description',
        facets: `
          Hot with chillies. / A spicy dish; ask for less chilli. = fiery, pepper
          Made without gluten. / Gluten free on request. = coeliac, wheatless
          Nuts are sprinkled on top. / Contains a nut sauce. = almonds, peanuts
          Cooked slowly for six hours. / Slow cooking makes it tender. = braised, stewed
          Served cold with herbs. / A cold plate, fresh herbs on the side. = refreshing, summer
          Baked in a clay pot. / Baking in clay keeps it juicy. = earthenware, casserole
          Tossed with lemon and garlic. / Lemons and garlic give the dressing. = citrus, zesty
          Comes with a cheese crust. / Cheeses melt over it. = gratin, parmesan
          A portion for sharing. / Two can share it. = couples, sociable
          Small plate to begin with. / A starter, plated small. = appetizer, antipasti
          Grilled over charcoal. / The grilling gives it a smoky taste. = barbecue, embers
          Sweetened with honey. / Honeyed and sweet. = sugary, nectar
          Fried lightly in olive oil. / Frying takes a minute. = crispy, fritters
          Our grandmother's recipe. / Recipes like this one are old. = traditional, heirloom`,
      },
      kind: { name: 'course', title: 'course', values: 'starter 5, main 9, side 4, dessert 3, snack 2' },
      number: { name: 'price', title: 'price', mean: 14, spread: 11, digits: 0 },
      boolean: { name: 'isVegetarian', title: 'vegetarian', share: 0.42 },
      second: { name: 'chefsChoice', title: "chef's choice", share: 0.1 },
    },
    {
      name: 'Reservations',
      items: 'reservations',
      rows: 460,
      identifier: {
        name: 'reservationName',
        title: 'reservation name',
        parts: ['Amara, Bela, Corin, Dilara, Emil, Fenna', 'Okafor, Lindqvist, Moreau, Sato, Brandt, Costa'],
      },
      text: {
        name: 'notes',
        title: 'notes',
        facets: `
          Celebrating a birthday. / A birthday; please bring candles. = party, cake
          One guest uses a wheelchair. / Wheelchairs need the side entrance. = disabled, mobility
          Would like the window table. / Asked for tables by a window. = view, outlook
          Allergic to shellfish. / An allergy: no shellfish. = crustaceans, seafood
          Wants to order ahead. / Orders were sent ahead. = preordered, advance
          May arrive late. / Late arrivals are possible. = delayed, tardy
          Brings a baby; high chair needed. / Two babies need chairs. = infant, toddler
          Anniversary dinner with flowers. / Flowers for their anniversary. = wedding, couple
          Pays by company card. / The company pays. = corporate, business
          Prefers the quiet room. / A quieter corner is preferred. = silence, peaceful
          Visited many times before. / A regular visitor. = loyal, frequent
          Will leave for the theatre at eight. / Leaving early for a theatre play. = stage, drama
          Asked for the tasting menu. / Tasting menus for all. = sampler, courses
          Speaks French. / French speaking guests. = foreign, francophone`,
      },
      kind: {
        name: 'channel',
        title: 'booking channel',
        values: 'phone 6, website 9, hotel desk 2, walk-in 3',
      },
      number: { name: 'partySize', title: 'party size', mean: 4, spread: 5, digits: 0 },
      boolean: { name: 'confirmed', title: 'confirmed', share: 0.66 },
      second: { name: 'depositPaid', title: 'deposit paid', share: 0.14 },
    },
  ],
};
