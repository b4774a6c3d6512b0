import type { UseCase } from '../use-case.ts';

export const travelPlanning: UseCase = {
  db: 'travel_planning',
  overview: 'a travel agency: where people go, who plans it, and what is sold as a package',
  collections: [
    {
      name: 'TravelDestinations',
      items: 'travel destinations',
      rows: 400,
      identifier: {
        name: 'destinationName',
        title: 'destination name',
        parts: ['Port, Mount, Lake, Isle, Cape, Bay', 'Aldern, Brivo, Calanda, Dunmar, Estrel, Farrow'],
      },
      text: {
        name: 'destinationDescription',
        title: 'destination description',
        facets: `
          Beaches of white sand. / A sandy beach. = seaside, sunbathing
          Divers find corals. / Diving among coral gardens. = snorkelling, reefs
          Hikes through cloud forest. / Hiking trails in forests. = trekking, jungle
          Ruins of an old kingdom. / A ruined castle of kings. = archaeology, history
          Night markets with street food. / A market every night. = bazaar, snacks
          Snow until May. / Skiing on deep snow. = winter, slopes
          Whales pass in autumn. / Whale watching from the shore. = wildlife, mammals
          Hot springs below a volcano. / A spring heated by volcanoes. = thermal, bathing
          Painters have lived here. / A painter's village. = artists, canvases
          Vineyards and tastings. / A vineyard for tasting wine. = grapes, winery
          Temples above the valley. / A temple with a thousand steps. = shrines, pilgrimage
          Sailing in steady wind. / Sailors like its winds. = yachts, regatta
          Festivals of light. / A festival each summer. = celebrations, parade
          Cycling along canals. / Canals for cyclists. = bicycles, waterways`,
      },
      kind: {
        name: 'region',
        title: 'region',
        values: 'coast 8, mountains 5, islands 4, desert 2, lowlands 3',
      },
      number: { name: 'averageVisitCost', title: 'average visit cost', mean: 900, spread: 700, digits: -1 },
      boolean: { name: 'popular', title: 'popular', share: 0.35 },
      second: { name: 'needsVisa', title: 'visa needed', share: 0.12 },
    },
    {
      name: 'TravelAgents',
      items: 'travel agents',
      rows: 320,
      identifier: {
        name: 'agentName',
        title: 'agent name',
        parts: ['Greta, Hugo, Ilse, Joao, Karin, Luca', 'Adeyemi, Bianchi, Castro, Dahl, Egger, Fontaine'],
      },
      text: {
        name: 'agentDescription',
        title: 'agent description',
        facets: `
          Plans honeymoons. / A honeymoon planner. = newlyweds, romance
          Knows the railways of three continents. / Books journeys by railway. = trains, locomotives
          Travels with school classes. / School journeys of every size. = pupils, youth
          Finds cheap flights. / Cheaper flying is a sport. = bargains, airlines
          Organises safaris. / A safari organiser. = wildlife, lions
          Specialises in cruises. / Cruise ships are a specialty. = ocean, liners
          Arranges accessible journeys. / Access for wheelchairs is arranged. = disabled, mobility
          Speaks five languages. / Fluent in a language for each client. = polyglot, multilingual
          Books yoga retreats. / A retreat for yoga teachers. = meditation, wellness
          Cooks and leads food tours. / Touring kitchens with cooks. = cuisine, culinary
          Former mountain guide. / Guided climbs in the mountains. = alpine, summits
          Handles visas and insurance. / Insured and with a visa. = documents, passports
          Works for archaeologists. / Archaeological tours. = excavation, ruins
          Answers at any hour. / An answer within the hour. = availability, prompt`,
      },
      kind: {
        name: 'office',
        title: 'office',
        values: 'Harbour Street 5, Station 6, Airport 4, Old Square 3',
      },
      number: { name: 'yearsOfExperience', title: 'years of experience', mean: 9, spread: 8, digits: 0 },
      boolean: { name: 'availableNow', title: 'available now', share: 0.52 },
      second: { name: 'worksWeekends', title: 'weekend work', share: 0.16 },
    },
    {
      name: 'TravelPackages',
      items: 'travel packages',
      rows: 460,
      identifier: {
        name: 'packageName',
        title: 'package name',
        parts: [
          'Sunrise, Wanderer, Explorer, Family, Classic, Grand',
          'Weekend, Week, Tour, Escape, Circuit, Passage',
        ],
      },
      text: {
        name: 'packageDetails',
        title: 'package details',
        facets: `
          Breakfast and dinner included. / Includes all dinners. = meals, catering
          Guided walks each day. / A guide walks with you. = hiking, strolls
          Flights and transfers. / A flight and its transfer. = airfare, airport
          Rooms with a balcony. / Each room has a view. = terrace, panorama
          Snorkelling equipment. / Equipped for snorkelling. = diving, masks
          Tickets for two concerts. / A concert ticket. = music, symphony
          Cooking class with a chef. / Classes in cooking. = culinary, recipes
          Rental car for a week. / Cars can be rented. = vehicle, driving
          Camping under the stars. / A camp in the desert. = tents, wilderness
          Massage and sauna. / Daily massages. = wellness, relaxation
          Children travel free. / Free for a child under ten. = youngsters, kids
          Boat trip to the lighthouse. / Boats to three lighthouses. = cruise, harbour
          Horse riding. / Riders on quiet horses. = equestrian, stables
          Can be cancelled until the last day. / Cancelling costs nothing. = refund, flexible`,
      },
      kind: { name: 'transport', title: 'transport', values: 'plane 8, train 5, coach 3, ship 3' },
      number: { name: 'packagePrice', title: 'package price', mean: 1300, spread: 1000, digits: -1 },
      boolean: { name: 'discountAvailable', title: 'discount available', share: 0.33 },
      second: { name: 'soldOut', title: 'sold out', share: 0.12 },
    },
  ],
};
